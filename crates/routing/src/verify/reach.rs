//! The ToRs that light can reach over damaged parts, and the ToR that must transmit first.

use std::cell::OnceCell;

use fixedbitset::FixedBitSet;
use lightloom_topology::TorId;

use crate::failure::Damage;
use crate::verify::light_map::LightMap;
use crate::verify::rules::InstalledRules;
use crate::verify::violation::Violation;

/// The ToRs that light can reach over damaged parts, for any rules.
pub(super) struct LightReach<'a> {
    light: &'a LightMap,
    damage: &'a Damage<'a>,
    /// By the ToR that transmits first. Computed on first use.
    lit: Vec<OnceCell<FixedBitSet>>,
}

impl<'a> LightReach<'a> {
    pub(super) fn new(light: &'a LightMap, damage: &'a Damage<'a>) -> Self {
        Self { light, damage, lit: vec![OnceCell::new(); light.tors()] }
    }

    fn lit_by(&self, root: TorId) -> &FixedBitSet {
        let arrives = |from, to| self.damage.arrives(from, to);
        self.lit[root.index()].get_or_init(|| self.light.lit(root, arrives))
    }

    /// Whether light from `root` can reach a ToR. In an undamaged fabric it reaches every ToR, as the check
    /// of the wires has proved.
    pub(super) fn is_lit(&self, tor: TorId, root: TorId) -> bool {
        self.damage.is_none() || self.lit_by(root).contains(tor.index())
    }

    /// The number of ToRs, except the source, that get its packet if `root` transmits first.
    fn holders(&self, source: TorId, root: TorId) -> usize {
        if self.damage.is_none() {
            return self.light.tors() - 1;
        }
        let lit = self.lit_by(root);
        let alone = |tor: TorId| usize::from(!lit.contains(tor.index()));
        let others = lit.count_ones(..) + alone(root);
        others - usize::from(source == root || alone(source) == 0)
    }

    /// The ToR that transmits first according to the rules. `None` if no ToR can transmit, or if the source
    /// is given up.
    ///
    /// # Errors
    /// A [`Violation`] for a missing stand-in, or for a stand-in that cannot help.
    pub(super) fn root(
        &self,
        source: TorId,
        rules: &InstalledRules,
        gives_up: bool,
    ) -> Result<Option<TorId>, Violation> {
        let root = rules.root(source);
        let wrong = |why| Err(Violation::StandIn { source_tor: source, root, why });
        let live = || self.light.tor_ids().filter(|&tor| self.damage.sends(tor));
        if root == source {
            return match self.damage.sends(source) {
                true => Ok(Some(source)),
                false if gives_up || !self.damage.has_power(source) => Ok(None),
                false if live().next().is_none() => Ok(None),
                false => Err(Violation::NoStandIn(source)),
            };
        }
        if !self.damage.has_power(source) {
            return wrong("but the source has no power and sends nothing");
        }
        if !self.damage.sends(root) {
            return wrong("which does not transmit either");
        }
        let found = self.holders(source, root);
        let best = match self.damage.sends(source) {
            true => self.holders(source, source),
            // No ToR can reach more than all other ToRs.
            false if found == self.light.tors() - 1 => found,
            false => live().map(|tor| self.holders(source, tor)).max().unwrap_or(0),
        };
        if found < best {
            return wrong("whose light reaches fewer ToRs than that of another one");
        }
        Ok(Some(root))
    }
}
