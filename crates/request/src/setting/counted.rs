//! Settings of what is counted for it: orders, work, light, costs, and the machine that counts.

use crate::sections::sections;

sections! {
    /// The order.
    order {
        SPARES_PERCENT: u32 = Key::new(
            "order.spares_percent", Takes::Whole { least: 0, most: 1000 }, Default::Value(Written::Whole(5)),
            "Spares, in percent of each quantity, rounded up.",
        ).flag("--spares-percent");
    }

    /// The work of the installers. work-packages.csv is made from it.
    work {
        CREWS: u32 = Key::new(
            "work.crews", Takes::Whole { least: 1, most: 1_000 }, Default::Value(Written::Whole(2)),
            "Number of crews that work at the same time.",
        );
        MODULES: u32 = Key::new(
            "work.modules_per_shift", PER_SHIFT, Default::Value(Written::Whole(80)),
            "Shelves and modules that a crew mounts in a shift.",
        );
        TRUNKS: u32 = Key::new(
            "work.trunks_per_shift", PER_SHIFT, Default::Value(Written::Whole(12)),
            "Trunks that a crew pulls in a shift.",
        );
        CORDS_BETWEEN_ROWS: u32 = Key::new(
            "work.cords_between_rows_per_shift", PER_SHIFT, Default::Value(Written::Whole(60)),
            "Cords to other rows that a crew pulls in a shift.",
        );
        CORDS_WITHIN_ROW: u32 = Key::new(
            "work.cords_within_row_per_shift", PER_SHIFT, Default::Value(Written::Whole(150)),
            "Cords within a row that a crew lays in a shift.",
        );
        MEASUREMENTS: u32 = Key::new(
            "work.measurements_per_shift", PER_SHIFT, Default::Value(Written::Whole(200)),
            "Branches that a crew measures in a shift.",
        );
    }

    /// Parts on the way of the light. Without a transceiver or a rate, a plan does not assess the light.
    optics {
        CATALOGUE: CatalogueName = Key::new(
            "optics.catalogue", Takes::Choice(CatalogueName::choices), Default::Value(Written::Text("datasheets-2026")),
            "Built-in catalogue of parts and prices; a file of your own goes into parts.",
        ).flag("--catalogue");
        PARTS: PathBuf = Key::new(
            "optics.parts", Takes::Path, Default::Depends("none", Written::Text("parts.toml")),
            "Your own catalogue file; its rows override those of the catalogue.",
        ).flag("--parts").called("FILE");
        TRANSCEIVER: String = Key::new(
            "optics.transceiver", Takes::Text,
            Default::Depends("the only one of the rate", Written::Text("10gbase-lr")),
            "Transceiver, by its name in the catalogue.",
        ).flag("--transceiver").called("NAME");
        RATE: BitRate = Key::new(
            "optics.rate", Takes::Quantity(of::<BitRate>, "Gb/s"),
            Default::Depends("10 Gb/s, or the transceiver's", Written::Text("10 Gb/s")),
            "Line rate, such as \"25 Gb/s\"; sufficient if the catalogue has one transceiver of this rate.",
        ).flag("--rate");
        SPLITTER: String = Key::new(
            "optics.splitter", Takes::Text, Default::Depends("the one of the fan-out", Written::Text("plc-1x4")),
            "Splitter, by its name in the catalogue; needed if several have the same fan-out.",
        ).flag("--splitter-part").called("NAME");
        FIBRE: String = Key::new(
            "optics.fibre", Takes::Text, Default::Value(Written::Text("g652d")),
            "Fibre, by its name in the catalogue.",
        );
        CONNECTOR: String = Key::new(
            "optics.connector", Takes::Text, Default::Value(Written::Text("lc")),
            "Connector pairs at the splitters, by their name in the catalogue.",
        );
        MPO: String = Key::new(
            "optics.mpo", Takes::Text, Default::Value(Written::Text("standard")),
            "Pairs of MPO connectors at the ends of trunks, by their name in the catalogue.",
        );
        SPLICE: String = Key::new(
            "optics.splice", Takes::Text, Default::Value(Written::Text("fusion")),
            "Splices, by their name in the catalogue.",
        );
        PANEL: String = Key::new(
            "optics.panel", Takes::Text, Default::Value(Written::Text("lc")),
            "Couplers in patch panels, by their name in the catalogue.",
        );
        FEED_SPLICES: u32 = Key::new(
            "optics.feed_splices", Takes::Whole { least: 0, most: 64 }, Default::Value(Written::Whole(0)),
            "Splices on the way to the splitter.",
        );
        FEED_PANELS: u32 = Key::new(
            "optics.feed_panels", Takes::Whole { least: 0, most: 64 }, Default::Value(Written::Whole(0)),
            "Patch panels on the way to the splitter.",
        );
        FEED_INLINE: Vec<String> = Key::new(
            "optics.feed_inline", Takes::Texts { commas: false }, Default::Value(Written::List(&[])),
            "Other parts on the way to the splitter, by their names in the catalogue.",
        );
        BRANCH_SPLICES: u32 = Key::new(
            "optics.branch_splices", Takes::Whole { least: 0, most: 64 }, Default::Value(Written::Whole(0)),
            "Splices between the splitter and a receiver.",
        );
        BRANCH_PANELS: u32 = Key::new(
            "optics.branch_panels", Takes::Whole { least: 0, most: 64 }, Default::Value(Written::Whole(0)),
            "Patch panels between the splitter and a receiver.",
        );
        BRANCH_INLINE: Vec<String> = Key::new(
            "optics.branch_inline", Takes::Texts { commas: false }, Default::Value(Written::List(&[])),
            "Other parts between the splitter and a receiver, by their names in the catalogue.",
        );
        PENALTY: Db = Key::new(
            "optics.penalty", Takes::Quantity(of::<Db>, "dB"), Default::Value(Written::Text("0 dB")),
            "Margin for dispersion, reflections and the like.",
        );
        AGEING: Db = Key::new(
            "optics.ageing", Takes::Quantity(of::<Db>, "dB"), Default::Value(Written::Text("0 dB")),
            "Margin for ageing and repairs.",
        );
        PAD: String = Key::new(
            "optics.pad", Takes::Text, Default::Value(Written::Text("auto")),
            "Fixed attenuators: auto (chosen if the light is too strong), none, or a name in the catalogue.",
        ).flag("--pad").called("NAME");
        PAD_AT: PadPlace = Key::new(
            "optics.pad_at", Takes::Choice(PadPlace::choices), Default::Value(Written::Text("transmitter")),
            "Place of the fixed attenuators.",
        ).flag("--pad-at").called("PLACE");
        MARGIN: Db = Key::new(
            "optics.margin", Takes::Quantity(of::<Db>, "dB"), Default::Value(Written::Text("1 dB")),
            "Policy: a branch that closes with a smaller margin above the sensitivity is marginal.",
        ).flag("--margin");
        HEADROOM: Db = Key::new(
            "optics.headroom", Takes::Quantity(of::<Db>, "dB"), Default::Value(Written::Text("1 dB")),
            "Policy: a branch that closes with a smaller headroom below the overload is marginal.",
        ).flag("--headroom");
        ACCEPT: Case = Key::new(
            "optics.accept", Takes::Choice(Case::choices), Default::Value(Written::Text("worst")),
            "Case that decides if the worst case does not close: typical, monte-carlo or best.",
        ).flag("--accept").called("CASE");
        SAMPLES: u32 = Key::new(
            "optics.samples", Takes::Whole { least: 1, most: 10000000 }, Default::Value(Written::Whole(10_000)),
            "Draws of a Monte Carlo budget.",
        ).flag("--samples");
        SEED: u64 = Key::new(
            "optics.seed", Takes::Whole { least: 0, most: i64::MAX }, Default::Value(Written::Whole(1)),
            "Seed of a Monte Carlo budget.",
        ).flag("--seed");
        PERCENTILE: String = Key::new(
            "optics.percentile", Takes::Number, Default::Value(Written::Text("1")),
            "Tail percentile of a Monte Carlo budget: this share of the draws, in percent, is worse than the reported \
             value.",
        ).flag("--percentile");
    }

    /// How costs are counted.
    cost {
        FIBRE_ACCOUNTING: Accounting = Key::new(
            "cost.fibre_accounting", Takes::Choice(Accounting::choices),
            Default::Depends("the catalogue's", Written::Text("half")),
            "Share of a duplex pair's price that a one-way strand costs.",
        ).flag("--fibre-accounting");
        PRICE_CASE: PriceCase = Key::new(
            "cost.price_case", Takes::Choice(PriceCase::choices), Default::Value(Written::Text("typical")),
            "Value of each price that counts: in bills, rankings, ratios and limits of cost.",
        ).flag("--price-case").called("CASE");
        PRICES: PriceBasis = Key::new(
            "cost.prices", Takes::Choice(PriceBasis::choices), Default::Value(Written::Text("all")),
            "Prices that count: all, or only those with a published source and your own.",
        ).flag("--prices").called("WHICH");
        FIBRE_LENGTH: Length = Key::new(
            "cost.fibre_length", Takes::Quantity(of::<Length>, "m"), Default::Value(Written::Text("100 m")),
            "Length of every fibre between racks in comparisons, such as \"100 m\".",
        ).flag("--fibre-length").called("LENGTH");
        YEARS: u32 = Key::new(
            "cost.years", Takes::Whole { least: 1, most: 100 }, Default::Depends("no energy", Written::Whole(5)),
            "Years of energy to add to the cost.",
        ).flag("--years");
        ENERGY_PRICE: Money = Key::new(
            "cost.energy_price", Takes::Quantity(of::<Money>, "USD"),
            Default::Depends("no energy", Written::Text("0.12 USD")),
            "Price of a kilowatt-hour, such as \"0.12 USD\".",
        ).flag("--energy-price").called("PRICE");
    }

    /// The machine that does the work. No answer depends on it.
    machine {
        MEMORY: DataSize = Key::new(
            "machine.memory", Takes::Quantity(of::<DataSize>, "GB"),
            Default::Depends("what the machine has left", Written::Text("8 GB")),
            "Most memory that the work may take. It is estimated before the work begins, and more is refused.",
        ).flag("--memory").called("SIZE");
    }
}
