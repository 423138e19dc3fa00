//! Laws of what is written for people: stock lengths, prices, cells and folders.

mod cells;
mod folders;
