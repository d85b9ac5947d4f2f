//! The ground every game stands on.
