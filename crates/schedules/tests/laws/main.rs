//! Laws of schedules, checked by following what each message can know and carry.

mod counts;
mod follow;
mod refused;
mod rounds;
