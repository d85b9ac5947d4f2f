//! The native half of the Python package `referee`.
//!
//! Python uses three classes: `Position`, a position for search, in which the caller resolves
//! chance; `Match`, a match with its generator and record; and `Batch`, many environments over
//! NumPy arrays that the caller owns. Documents are passed as JSON text. The Python half,
//! `python/referee`, builds environments from them.

mod batch;
mod datasets;
mod documents;
mod matches;
mod names;
mod position;
mod tensors;

use pyo3::prelude::*;

/// The native half of `referee`.
#[pymodule]
#[pyo3(name = "_native")]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<matches::Match>()?;
    module.add_class::<position::Position>()?;
    datasets::add_to(module)?;
    documents::add_to(module)?;
    tensors::add_to(module)
}
