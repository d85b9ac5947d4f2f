//! The native half of the Python package `referee`.
//!
//! Python calls three classes: `Position`, a position to search in, whose chance the caller
//! brings; `Match`, a match with its generator and record; and `Batch`, many environments over
//! NumPy buffers that the caller owns. Documents cross as JSON text. The Python half,
//! `python/referee`, makes environments of them.

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
