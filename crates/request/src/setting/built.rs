//! Settings of what is built: fabric, routes, switches, hall, splitters.

use crate::sections::sections;

sections! {
    /// The fabric.
    fabric {
        FAMILY: Family = Key::new(
            "fabric.family", Takes::Choice(Family::choices),
            Default::Depends("a shufflecast where the number of ToRs fits one, else kautz", Written::Text("kautz")),
            "Family of the fabric.",
        ).flag("--family");
        P: u32 = Key::new(
            "fabric.p", U32, Default::Depends("chosen by the number of ToRs", Written::Whole(4)),
            "Outputs of a splitter.",
        ).flag("--p").alias("--splitter");
        K: u32 = Key::new(
            "fabric.k", U32, Default::Depends("chosen by the number of ToRs", Written::Whole(4)),
            "Columns of a Shufflecast, which has k p^k ToRs.",
        ).flag("--k");
        TORS: u32 = Key::new(
            "fabric.tors", U32, Default::Depends("the racks of the inventory", Written::Whole(64)),
            "Number of ToRs.",
        ).flag("--tors");
        EDGES: PathBuf = Key::new(
            "fabric.edges", Takes::Path, Default::Depends("none", Written::Text("edges.csv")),
            "Edge list of a custom fabric: a CSV file with columns tor,from_cassette,to_cassette.",
        ).flag("--edges").called("FILE");
    }

    /// The router.
    routing {
        ROUTER: RouterName = Key::new(
            "routing.router", Takes::Choice(RouterName::choices),
            Default::Depends("algorithm1 for a shufflecast, else arborescence", Written::Text("arborescence")),
            "Router. algorithm1 is the paper's, for a shufflecast; arborescence takes the fewest hops with an even \
             load, in any fabric.",
        ).flag("--router");
        EXTRA_HOPS: u32 = Key::new(
            "routing.extra_hops", Takes::Whole { least: 0, most: 1 }, Default::Value(Written::Whole(0)),
            "Hops that a ToR may be farther away than necessary, for a more even load (arborescence only).",
        ).flag("--extra-hops");
    }

    /// The ToR switches.
    tor {
        MODEL: String = Key::new(
            "tor.model", Takes::Text, Default::Depends("unknown", Written::Text("extreme-slx-9540")),
            "Switch model of the ToRs, by its name in the catalogue.",
        ).flag("--tor-model").called("NAME");
        FAULT_SIGNALLING: FaultSignalling = Key::new(
            "tor.fault_signalling", Takes::Choice(FaultSignalling::choices),
            Default::Depends("what the model can be set to, else off", Written::Text("on")),
            "Link fault signalling of the fabric ports. With on, impact, recover, repairs and risk also count the \
             ToRs that it silences.",
        ).flag("--fault-signalling");
        TRANSMIT_PORT: TransmitPort = Key::new(
            "tor.transmit_port", Takes::Choice(TransmitPort::choices), Default::Value(Written::Text("shared")),
            "The port that sends light into the ToR's splitter.",
        ).flag("--transmit-port");
        LOGICAL: u32 = Key::new(
            "tor.logical", Takes::Whole { least: 1, most: 32 }, Default::Value(Written::Whole(1)),
            "Logical ToRs that one switch is: it has the ports and rules of each apart, and all of them fall with it.",
        ).flag("--logical").called("N");
        ACCELERATOR: String = Key::new(
            "tor.accelerator", Takes::Text, Default::Depends("none", Written::Text("cepheus-board")),
            "Accelerator beside each ToR switch, by its name in the catalogue: it replicates for reliable groups, and \
             takes as many ports of the switch as it has.",
        ).flag("--accelerator").called("NAME");
        ROLE: String = Key::new(
            "tor.role", Takes::Text,
            Default::Depends("the only device of a rack with enough optical interfaces", Written::Text("leaf")),
            "Role of the ToR switches in the inventory of devices.",
        ).flag("--tor-role").called("NAME");
        PORTS: Vec<String> = Key::new(
            "tor.ports", Takes::Texts { commas: false },
            Default::Depends("all interfaces", Written::List(&["Ethernet1/[1-4]"])),
            "Only interfaces whose name matches this glob become fabric ports, without regard to case; may be given \
             several times.",
        ).flag("--tor-ports").called("GLOB");
        RESERVED: Vec<String> = Key::new(
            "tor.reserved", Takes::Texts { commas: false }, Default::Depends("none", Written::List(&["uplink*"])),
            "Interfaces whose name, description or one of whose tags matches this glob never become fabric ports, \
             without regard to case; may be given several times.",
        ).flag("--tor-reserved").called("GLOB");
        BREAKOUT: u32 = Key::new(
            "tor.breakout", Takes::Whole { least: 1, most: 16 }, Default::Value(Written::Whole(1)),
            "Interfaces that each port of the model is split into, where its row in the catalogue has such a \
             breakout; 1 leaves ports whole.",
        ).flag("--tor-breakout").called("LANES");
    }

    /// Racks, rows and trays.
    hall {
        INVENTORY: PathBuf = Key::new(
            "hall.inventory", Takes::Path, Default::Depends("a default hall is generated", Written::Text("racks.csv")),
            "Rack inventory: a CSV file with name and row, position or x_m, y_m; or a NetBox rack export.",
        ).flag("--inventory").called("FILE");
        DEVICES: PathBuf = Key::new(
            "hall.devices", Takes::Path, Default::Depends("none", Written::Text("devices.csv")),
            "Devices in the racks: a NetBox export of devices, or a CSV file with name, rack, position, u_height and \
             role.",
        ).flag("--devices").called("FILE");
        INTERFACES: PathBuf = Key::new(
            "hall.interfaces", Takes::Path,
            Default::Depends(
                "names of the switch model, where its row in the catalogue has them",
                Written::Text("interfaces.csv"),
            ),
            "Interfaces of the devices: a NetBox export of interfaces, or a CSV file with device, name, type and \
             cable.",
        ).flag("--interfaces").called("FILE");
        LARGEST_FILE: DataSize = Key::new(
            "hall.largest_file", Takes::Quantity(of::<DataSize>, "MiB"), Default::Value(Written::Text("32 MiB")),
            "Largest file of racks, devices or interfaces that is read; reading takes up to fifty times as much \
             memory.",
        ).flag("--largest-file").called("SIZE");
        BUILDING: PathBuf = Key::new(
            "hall.building", Takes::Path, Default::Depends("all racks are in one room", Written::Text("building.toml")),
            "Rooms of the racks, their entrances, and the ways that join them: a TOML file.",
        ).flag("--building").called("FILE");
        SITE: Vec<String> = Key::new(
            "hall.site", Takes::Texts { commas: false },
            Default::Depends("racks of every site", Written::List(&["Harbor Hall"])),
            "Only racks of this site; may be given several times.",
        ).flag("--site");
        LOCATION: Vec<String> = Key::new(
            "hall.location", Takes::Texts { commas: false },
            Default::Depends("racks of every location", Written::List(&["Row *"])),
            "Only racks whose location matches this glob, such as \"Row *\", without regard to case; may be given \
             several times.",
        ).flag("--location").called("GLOB");
        STATUS: Vec<String> = Key::new(
            "hall.status", Takes::Texts { commas: true },
            Default::Depends("racks of every status", Written::List(&["active"])),
            "Only racks with this status; may be given several times, or with commas.",
        ).flag("--status");
        ROWS_FROM: RowsFrom = Key::new(
            "hall.rows_from", Takes::Choice(RowsFrom::choices),
            Default::Depends("row where there is such a column", Written::Text("location")),
            "Column that names the rows: row, or location where each location is a row of one room.",
        ).flag("--rows-from").called("COLUMN");
        PLACEMENT: PathBuf = Key::new(
            "hall.placement", Takes::Path,
            Default::Depends("ToRs by number, racks in the order of the rows", Written::Text("placement.csv")),
            "Racks of the ToRs: a CSV file with columns tor,rack and a line for every ToR.",
        ).flag("--placement").called("FILE");
        KEEP: PathBuf = Key::new(
            "hall.keep", Takes::Path, Default::Depends("none", Written::Text("old-plan")),
            "Keep the ToR numbers and labels of an old plan.",
        ).flag("--keep").called("OLD_PLAN");
        RACKS_PER_ROW: u32 = Key::new(
            "hall.racks_per_row", Takes::Whole { least: 1, most: u32::MAX as i64 },
            Default::Depends("rows that make the hall square", Written::Whole(16)),
            "Racks of a row of a generated hall.",
        );
        RACK_PITCH: Length = Key::new(
            "hall.rack_pitch", Takes::Quantity(of::<Length>, "m"), Default::Value(Written::Text("0.6 m")),
            "Distance between racks of a row.",
        );
        ROW_PITCH: Length = Key::new(
            "hall.row_pitch", Takes::Quantity(of::<Length>, "m"), Default::Value(Written::Text("2.4 m")),
            "Distance between rows.",
        );
        WIDTH: Length = Key::new(
            "hall.width", Takes::Quantity(of::<Length>, "m"),
            Default::Depends("what the racks need", Written::Text("40 m")),
            "Extent of the hall along the rows.",
        );
        DEPTH: Length = Key::new(
            "hall.depth", Takes::Quantity(of::<Length>, "m"),
            Default::Depends("what the rows need", Written::Text("30 m")),
            "Extent of the hall across the rows.",
        );
        CROSS_AISLES: Vec<Length> = Key::new(
            "hall.cross_aisles", Takes::Quantities(of::<Length>, "m"),
            Default::Depends("one at each end and every 12 m or less between", Written::List(&["0 m"])),
            "Distances along the rows at which trays join the rows.",
        );
        TRAY_HEIGHT: Length = Key::new(
            "hall.tray_height", Takes::Quantity(of::<Length>, "m"), Default::Value(Written::Text("2.7 m")),
            "Height of the trays above the floor.",
        );
        TRAY_WIDTH: Length = Key::new(
            "hall.tray_width", Takes::Quantity(of::<Length>, "m"), Default::Value(Written::Text("0.3 m")),
            "Inner width of a tray.",
        );
        TRAY_DEPTH: Length = Key::new(
            "hall.tray_depth", Takes::Quantity(of::<Length>, "m"), Default::Value(Written::Text("0.1 m")),
            "Usable height of a tray.",
        );
        FIBRE_DIAMETER: Length = Key::new(
            "hall.fibre_diameter", Takes::Quantity(of::<Length>, "mm"), Default::Value(Written::Text("2 mm")),
            "Outer diameter of a fibre's jacket.",
        );
        RACK_ENTRY: Length = Key::new(
            "hall.rack_entry", Takes::Quantity(of::<Length>, "m"), Default::Value(Written::Text("0.3 m")),
            "Length from the port to the riser, at each end.",
        );
        SLACK: Length = Key::new(
            "hall.slack", Takes::Quantity(of::<Length>, "m"), Default::Value(Written::Text("2 m")),
            "Service loop of a fibre that leaves its rack.",
        );
    }

    /// Splitters.
    splitters {
        HOUSING: Housing = Key::new(
            "splitters.housing", Takes::Choice(Housing::choices), Default::Value(Written::Text("sender")),
            "Where the splitters sit. sender: each in its ToR's rack, with p long fibres a ToR, as in the paper. \
             receiver: those of a cassette among its receivers, with one long fibre a ToR. zone: all in frames side \
             by side.",
        ).flag("--housing");
        CABLING: Cabling = Key::new(
            "splitters.cabling", Takes::Choice(Cabling::choices), Default::Value(Written::Text("point-to-point")),
            "How fibres run. point-to-point: one cord from port to port. trunked: panels in every row, and trunks of \
             many fibres to the frames; only with housing = \"zone\".",
        ).flag("--cabling");
        SHUFFLE: Shuffle = Key::new(
            "splitters.shuffle", Takes::Choice(Shuffle::choices), Default::Value(Written::Text("jumpers")),
            "How the outputs of splitters in frames come to the trunks. jumpers: a cord from each output to a panel. \
             modules: made for the fabric, with the outputs on MPO connectors.",
        ).flag("--shuffle");
        FRAMES: Vec<String> = Key::new(
            "splitters.frames", Takes::Texts { commas: true },
            Default::Depends("a row of frames behind the last row", Written::List(&["Z1", "Z2"])),
            "Racks of the inventory that hold splitters and panels, and no ToR. Only with housing = \"zone\".",
        ).flag("--frames").called("RACKS");
        FRAME_UNITS: u32 = Key::new(
            "splitters.frame_units", Takes::Whole { least: 1, most: 100 }, Default::Value(Written::Whole(42)),
            "Height of the frames that no inventory lists, in rack units.",
        );
        SPARE_POSITIONS: u32 = Key::new(
            "splitters.spare_positions_percent", Takes::Whole { least: 0, most: 300 },
            Default::Value(Written::Whole(10)),
            "Positions that stay free in the trunks of a row, in percent of the used ones, rounded up.",
        );
        POLISH: Polish = Key::new(
            "splitters.polish", Takes::Choice(Polish::choices), Default::Value(Written::Text("upc")),
            "Polish of the splitters' connectors. Transceivers are LC/UPC, so apc takes hybrid cords.",
        );
    }
}
