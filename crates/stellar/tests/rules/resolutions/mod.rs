//! One test for each resolution of an ambiguity in the specification, A to AD.

mod matches;
mod scenarios;

use super::*;
