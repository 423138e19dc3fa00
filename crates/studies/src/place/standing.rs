//! Which ToR stands at which location.

/// No ToR is there.
const NOBODY: u32 = u32::MAX;

/// Where ToRs stand.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    location_of: Vec<u32>,
    tor_at: Vec<u32>,
}

impl Standing {
    /// ToRs at these different locations, of so many.
    pub(super) fn new(locations: usize, location_of: Vec<u32>) -> Self {
        let mut tor_at = vec![NOBODY; locations];
        for (tor, &location) in (0..).zip(&location_of) {
            tor_at[location as usize] = tor;
        }
        Self { location_of, tor_at }
    }

    /// The location of each ToR.
    pub(super) fn locations(&self) -> &[u32] {
        &self.location_of
    }

    /// The ToR at a location. `None`: the location is empty.
    pub(super) fn tor_at(&self, location: u32) -> Option<u32> {
        Some(self.tor_at[location as usize]).filter(|&tor| tor != NOBODY)
    }

    /// Exchanges what stands at two locations.
    pub(super) fn exchange(&mut self, one: u32, other: u32) {
        self.tor_at.swap(one as usize, other as usize);
        for location in [one, other] {
            if let Some(tor) = self.tor_at(location) {
                self.location_of[tor as usize] = location;
            }
        }
    }
}
