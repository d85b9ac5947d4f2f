//! Work that is shared among threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does tasks `0..n_tasks` on several threads, each with its own worker. Returns the results in
/// the order of the tasks, whatever the number of threads, or the fault of the first task that
/// failed. After a fault no further task is started.
pub(crate) fn share<W, T: Send>(
    n_threads: usize,
    n_tasks: usize,
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, usize) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<T, String>>>> =
        Mutex::new((0..n_tasks).map(|_| None).collect());
    let take_tasks = || {
        let mut worker = worker();
        loop {
            let idx = next.fetch_add(1, Ordering::Relaxed);
            if idx >= n_tasks {
                return;
            }
            let result = work(&mut worker, idx);
            if result.is_err() {
                next.store(n_tasks, Ordering::Relaxed);
            }
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results[idx] = Some(result);
        }
    };
    thread::scope(|scope| {
        for _ in 1..n_threads {
            scope.spawn(take_tasks);
        }
        take_tasks();
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        let squares = share(3, 100, || (), |(), idx| Ok(idx * idx));
        assert_eq!(squares, Ok((0..100).map(|it| it * it).collect()));
    }

    #[test]
    fn the_first_fault_is_returned_and_stops_the_rest() {
        let n_done = AtomicUsize::new(0);
        let work = |(): &mut (), idx: usize| {
            n_done.fetch_add(1, Ordering::Relaxed);
            if idx < 3 {
                Ok(idx)
            } else {
                Err(format!("task {idx}"))
            }
        };
        assert_eq!(share(1, 1000, || (), work), Err("task 3".to_owned()));
        assert_eq!(n_done.load(Ordering::Relaxed), 4);
    }
}
