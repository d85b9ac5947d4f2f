//! A body of many parts, each freed once it is sent.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use serde_json::value::RawValue;

pub(super) struct Parts {
    parts: std::vec::IntoIter<Bytes>,
    n_bytes: u64,
}

impl Parts {
    /// Writes a JSON object whose last field is an empty list, with these elements in the list.
    pub(super) fn filling(mut empty: Vec<u8>, elements: Vec<Box<RawValue>>) -> Parts {
        let tail = empty.split_off(empty.len() - 2);
        let mut parts = vec![Bytes::from(empty)];
        for (idx, element) in elements.into_iter().enumerate() {
            if idx > 0 {
                parts.push(Bytes::from_static(b","));
            }
            parts.push(Box::<str>::from(element).into_string().into_bytes().into());
        }
        parts.push(tail.into());
        Parts {
            n_bytes: parts.iter().map(|it| it.len() as u64).sum(),
            parts: parts.into_iter(),
        }
    }
}

impl Body for Parts {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let part = self.parts.next();
        self.n_bytes -= part.as_ref().map_or(0, |it| it.len() as u64);
        Poll::Ready(part.map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.n_bytes == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.n_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_list_is_filled_with_its_elements_and_the_size_is_known() {
        for n_elements in 0..3 {
            let elements = (0..n_elements).map(|it| serde_json::value::to_raw_value(&it).unwrap());
            let parts = Parts::filling(br#"{"a":"]}","list":[]}"#.to_vec(), elements.collect());
            let size = parts.size_hint().exact().unwrap();
            let body = axum::body::Body::new(parts);
            let bytes = axum::body::to_bytes(body, 1_000).await.unwrap();
            assert_eq!(bytes.len() as u64, size);
            let read: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            assert_eq!(read["a"], "]}");
            assert_eq!(read["list"].as_array().map(Vec::len), Some(n_elements));
        }
    }
}
