//! Password hashing. It is slow on purpose, so only a few hashes run at once.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

/// Hashes computed at the same time.
const AT_ONCE: usize = 1;
/// Hashes that may wait. Beyond this, requests are refused.
const WAITING_MAX: usize = 16;

/// A bounded queue for hashing passwords.
pub(crate) struct Passwords {
    at_once: Semaphore,
    in_all: Semaphore,
}

/// Too many passwords are being hashed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooMany;

impl Default for Passwords {
    fn default() -> Passwords {
        Passwords {
            at_once: Semaphore::new(AT_ONCE),
            in_all: Semaphore::new(AT_ONCE + WAITING_MAX),
        }
    }
}

impl Passwords {
    /// Returns the hash of a new password, with its salt and parameters.
    pub(crate) async fn hash(&self, password: String) -> Result<String, TooMany> {
        let hashed = self.run(move || {
            Argon2::default()
                .hash_password(password.as_bytes())
                .map(|it| it.to_string())
                .ok()
        });
        hashed.await?.ok_or(TooMany)
    }

    /// Returns true if the password is right. Without a hash, the same work is done for nothing, so
    /// that the time does not reveal whether an account exists.
    pub(crate) async fn verify(
        &self,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, TooMany> {
        self.run(move || match &hash {
            Some(hash) => matches(&password, hash),
            None => {
                std::hint::black_box(Argon2::default().hash_password(password.as_bytes()).is_ok());
                false
            }
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, TooMany> {
        let _place = self.in_all.try_acquire().map_err(|_| TooMany)?;
        let _turn = self.at_once.acquire().await.map_err(|_| TooMany)?;
        tokio::task::spawn_blocking(work).await.map_err(|_| TooMany)
    }
}

fn matches(password: &str, hash: &str) -> bool {
    let Ok(hash) = PasswordHash::new(hash) else {
        return false;
    };
    Argon2::default()
        .verify_password(password.as_bytes(), &hash)
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_is_accepted() {
        let passwords = Passwords::default();
        let hash = passwords
            .hash("correct horse".to_owned())
            .await
            .expect("has room");
        assert!(hash.starts_with("$argon2id$"));
        let right = passwords
            .verify("correct horse".to_owned(), Some(hash.clone()))
            .await;
        assert_eq!(right, Ok(true));
        assert_eq!(
            passwords.verify("wrong".to_owned(), Some(hash)).await,
            Ok(false)
        );
        assert_eq!(passwords.verify("wrong".to_owned(), None).await, Ok(false));
    }

    #[tokio::test]
    async fn passwords_beyond_the_queue_are_refused() {
        let passwords = Passwords::default();
        let tries = (0..AT_ONCE + WAITING_MAX + 5).map(|_| passwords.verify("x".to_owned(), None));
        let mut tries: Vec<_> = tries.map(Box::pin).collect();
        let mut n_turned_away = 0;
        for attempt in &mut tries {
            let polled = std::future::poll_fn(|context| {
                std::task::Poll::Ready(attempt.as_mut().poll(context))
            })
            .await;
            n_turned_away += usize::from(polled == std::task::Poll::Ready(Err(TooMany)));
        }
        assert_eq!(n_turned_away, 5);
    }
}
