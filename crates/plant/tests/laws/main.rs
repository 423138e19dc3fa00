//! Laws of plants: random fabrics in random halls, with every housing and cabling.

mod given;
mod plants;
mod refusals;
