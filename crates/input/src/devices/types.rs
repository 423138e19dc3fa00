//! Types of interfaces: the slugs of NetBox, and the titles that its exports have.
//!
//! NetBox's `InterfaceTypeChoices` has a slug and a title for each type: `25gbase-x-sfp28` is `SFP28 (25GE)`, and
//! `100gbase-lr4` is `100GBASE-LR4 (100GE)`. A slug says the rate before `base`, and the cage or the medium after it.

use lightloom_design::devices::device::Plug;
use lightloom_power_cost::parts::Connector;
use lightloom_units::BitRate;

/// What a type says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An Ethernet port with its rate and plug.
    Ethernet(BitRate, Plug),
    /// No Ethernet port with a plug: virtual, wireless, Fibre Channel and others.
    Other,
    /// No type that is known here.
    Unknown,
}

/// Cages of pluggable transceivers: the end of the slug, and the word of the title.
const CAGES: [(&str, &str); 27] = [
    ("sfp", "sfp"),
    ("gbic", "gbic"),
    ("sfpp", "sfp+"),
    ("xfp", "xfp"),
    ("xenpak", "xenpak"),
    ("x2", "x2"),
    ("sfp28", "sfp28"),
    ("sfp56", "sfp56"),
    ("sfpdd", "sfp-dd"),
    ("sfp112", "sfp112"),
    ("dsfp", "dsfp"),
    ("qsfpp", "qsfp+"),
    ("qsfp28", "qsfp28"),
    ("qsfp56", "qsfp56"),
    ("qsfp112", "qsfp112"),
    ("qsfpdd", "qsfp-dd"),
    ("qsfpdd1600", "qsfp-dd1600"),
    ("osfp", "osfp"),
    ("osfp-rhs", "osfp-rhs"),
    ("osfp1600", "osfp1600"),
    ("osfp1600-rhs", "osfp1600-rhs"),
    ("cfp", "cfp"),
    ("cfp2", "cfp2"),
    ("cfp4", "cfp4"),
    // The title is spelled so.
    ("cfp8", "cpf8"),
    ("cpak", "cisco cpak"),
    ("cdfp", "cdfp"),
];

/// Media of fixed ports with a duplex pair of single-mode fibres.
const LC: [&str; 22] = [
    "lx", "lx10", "ex", "zx", "cwdm", "dwdm", "lr", "er", "zr", "fr", "fr1", "lr1", "dr", "fr4",
    "lr4", "er4", "cwdm4", "fr8", "lr8", "er8", "fx", "lfx",
];
/// Media of fixed ports with parallel fibres.
const MPO: [&str; 18] = [
    "sr2", "sr4", "sr4_2", "sr8", "sr10", "sr16", "dr4", "dr8", "dr8-2", "vr2", "vr4", "vr8",
    "cxp", "lx4", "psm4", "plr4", "plr8", "sr1.2",
];
/// Media that are no duplex pair of single-mode fibres: multi-mode, bidirectional, copper, backplane.
const OTHER_MEDIA: [&str; 40] = [
    "sx", "lsx", "sr", "sr1", "lrm", "sr4-bd", "bx10-d", "bx10-u", "br-d", "br-u", "t", "tx", "t1",
    "cx", "cx4", "cu", "cr", "cr1", "cr2", "cr4", "cr8", "cr10", "kx", "kx4", "kr", "kr2", "kr4",
    "kr8", "kp4", "bx", "t2", "t4", "lh", "vx", "usr", "ur", "zr4", "ir", "cr16", "er10",
];
/// Beginnings of types that are no Ethernet port, as slugs and as titles.
const OTHERS: [&str; 38] = [
    "virtual",
    "bridge",
    "lag",
    "link aggregation",
    "ieee",
    "other",
    "gsm",
    "cdma",
    "lte",
    "4g",
    "5g",
    "sonet",
    "oc-",
    "infiniband",
    "sdr",
    "ddr",
    "qdr",
    "fdr",
    "edr",
    "hdr",
    "ndr",
    "xdr",
    "t1",
    "e1",
    "t3",
    "e3",
    "xdsl",
    "docsis",
    "moca",
    "bpon",
    "epon",
    "10g-epon",
    "gpon",
    "xg",
    "ng-pon",
    "cisco stackwise",
    "juniper vcp",
    "extreme summitstack",
];
/// Parts of such types that do not begin them.
const OTHER_PARTS: [&str; 6] =
    ["gfc", "-pon", "stackwise", "flexstack", "summitstack", "juniper-vcp"];

/// What a type says. A slug and a title say the same.
pub(super) fn kind(text: &str) -> Kind {
    let text = text.trim().to_lowercase();
    if let Some((rate, medium)) = text.split_once("base-") {
        // A title has its group in brackets: 25GBASE-LR (25GE).
        let medium = medium.split(" (").next().unwrap_or_default();
        return match (rate_before_base(rate), plug(medium)) {
            (Some(rate), Some(plug)) => Kind::Ethernet(rate, plug),
            _ => Kind::Unknown,
        };
    }
    if let Some((cage, group)) = text.split_once(" (")
        && let Some(rate) = group.strip_suffix(')').and_then(rate_of_group)
    {
        if CAGES.iter().any(|(_, title)| *title == cage) {
            return Kind::Ethernet(rate, Plug::Cage);
        }
        if cage == "cxp" {
            return Kind::Ethernet(rate, Plug::Fixed(Connector::Mpo));
        }
    }
    let is_other = OTHERS.iter().any(|start| text.starts_with(start))
        || OTHER_PARTS.iter().any(|part| text.contains(part));
    if is_other { Kind::Other } else { Kind::Unknown }
}

/// The plug of a medium, the part of a slug after `base-`.
fn plug(medium: &str) -> Option<Plug> {
    if let Some(cage) = medium.strip_prefix("x-") {
        let is_cage = CAGES.iter().any(|(slug, _)| *slug == cage);
        return match cage {
            "cxp" => Some(Plug::Fixed(Connector::Mpo)),
            _ => is_cage.then_some(Plug::Cage),
        };
    }
    let is = |list: &[&str]| list.contains(&medium);
    if is(&LC) {
        Some(Plug::Fixed(Connector::Lc))
    } else if is(&MPO) {
        Some(Plug::Fixed(Connector::Mpo))
    } else {
        is(&OTHER_MEDIA).then_some(Plug::Other)
    }
}

/// The rate before `base`: `25g` is 25 Gb/s, `1000` is 1,000 Mb/s, `1.6t` is 1.6 Tb/s.
fn rate_before_base(text: &str) -> Option<BitRate> {
    let rate = match text.strip_suffix('t') {
        Some(number) => format!("{number} Tb/s"),
        None => match text.strip_suffix('g') {
            Some(number) => format!("{number} Gb/s"),
            None => format!("{text} Mb/s"),
        },
    };
    let starts = text.starts_with(|c: char| c.is_ascii_digit());
    rate.parse().ok().filter(|_| starts)
}

/// The rate of a group in a title: `25GE`, `100ME`, `1.6TE`, `10/100ME`.
fn rate_of_group(group: &str) -> Option<BitRate> {
    let group = group.rsplit('/').next().unwrap_or(group);
    let (number, unit) =
        ["me", "ge", "te"].into_iter().find_map(|unit| Some((group.strip_suffix(unit)?, unit)))?;
    let unit = match unit {
        "me" => "Mb/s",
        "ge" => "Gb/s",
        _ => "Tb/s",
    };
    number.starts_with(|c: char| c.is_ascii_digit()).then_some(())?;
    format!("{number} {unit}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn gbps(rate: u64, plug: Plug) -> Kind {
        Kind::Ethernet(BitRate::from_gbps(rate), plug)
    }

    /// Slugs and titles of NetBox's `InterfaceTypeChoices`.
    #[test]
    fn a_slug_and_its_title_say_the_same() {
        let (lc, mpo) = (Plug::Fixed(Connector::Lc), Plug::Fixed(Connector::Mpo));
        for (slug, title, expected) in [
            ("1000base-x-sfp", "SFP (1GE)", gbps(1, Plug::Cage)),
            ("10gbase-x-sfpp", "SFP+ (10GE)", gbps(10, Plug::Cage)),
            ("25gbase-x-sfp28", "SFP28 (25GE)", gbps(25, Plug::Cage)),
            ("50gbase-x-sfp28", "SFP28 (50GE)", gbps(50, Plug::Cage)),
            ("40gbase-x-qsfpp", "QSFP+ (40GE)", gbps(40, Plug::Cage)),
            ("100gbase-x-qsfp28", "QSFP28 (100GE)", gbps(100, Plug::Cage)),
            ("100gbase-x-cpak", "Cisco CPAK (100GE)", gbps(100, Plug::Cage)),
            ("400gbase-x-cfp8", "CPF8 (400GE)", gbps(400, Plug::Cage)),
            ("400gbase-x-qsfpdd", "QSFP-DD (400GE)", gbps(400, Plug::Cage)),
            ("1.6tbase-x-osfp1600-rhs", "OSFP1600-RHS (1.6TE)", gbps(1600, Plug::Cage)),
            ("100gbase-x-cxp", "CXP (100GE)", gbps(100, mpo)),
            ("10gbase-lr", "10GBASE-LR (10GE)", gbps(10, lc)),
            ("100gbase-lr4", "100GBASE-LR4 (100GE)", gbps(100, lc)),
            ("400gbase-dr4", "400GBASE-DR4 (400GE)", gbps(400, mpo)),
            ("10gbase-t", "10GBASE-T (10GE)", gbps(10, Plug::Other)),
            ("10gbase-br-d", "10GBASE-BR-D (10GE BiDi Down)", gbps(10, Plug::Other)),
            ("virtual", "Virtual", Kind::Other),
            ("lag", "Link Aggregation Group (LAG)", Kind::Other),
            ("32gfc-sfp28", "SFP28 (32GFC)", Kind::Other),
            ("infiniband-hdr", "HDR (50 Gbps)", Kind::Other),
            ("ieee802.11be", "IEEE 802.11be (Wi-Fi 7)", Kind::Other),
            ("25g-pon", "25G-PON (25 Gbps)", Kind::Other),
            ("cisco-flexstack-plus", "Cisco FlexStack Plus", Kind::Other),
            ("extreme-summitstack-128", "Extreme SummitStack-128", Kind::Other),
        ] {
            assert_eq!((kind(slug), kind(title)), (expected, expected), "{slug}, {title}");
        }
    }

    #[test]
    fn what_is_no_type_is_unknown() {
        for text in [
            "",
            "sfp28",
            "25gbase-x-",
            "25gbase-x-shoe",
            "base-lr",
            "xgbase-lr",
            "SFP28 (25)",
            "fast",
        ] {
            assert_eq!(kind(text), Kind::Unknown, "{text:?}");
        }
    }
}
