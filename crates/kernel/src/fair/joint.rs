//! A seed that the host and its players draw together.
//!
//! The host gives a player the [`Commitment`] to a secret. A player who wants to take part answers
//! with 32 random bytes. The seed of the match is the SHA-256 of `"referee joint seed 1"` followed,
//! for each player who took part and in the order of the commitments, by the host's secret for that
//! player and the player's contribution. The host fixed its secrets before it saw the
//! contributions, and a player contributes before the secrets are revealed, so neither of them
//! alone chooses the seed. Seats are not part of the hash: the host assigns them, and must not be
//! able to try several seatings.

use std::fmt;

use serde::Serialize;
use serde::ser::SerializeMap;

use super::{Commitment, Opening, read_hex, to_hex};
use crate::Seat;
use crate::doc::{Document, Faults, Node};
use crate::json::Hash;

const DOMAIN: &[u8] = b"referee joint seed 1";

/// A player's part in a seed, public from the start of the match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// The host's commitment, which the player received before contributing.
    pub commitment: Commitment,
    /// The player's random bytes.
    pub bytes: [u8; 32],
    /// The player's seat.
    pub seat: Seat,
}

/// A player's part in a seed with the host's secret: hidden until the match is over.
#[derive(Clone, PartialEq, Eq)]
pub struct Part {
    seat: Seat,
    bytes: [u8; 32],
    secret: Opening,
}

/// The revealed parts are not the published ones, or do not give the seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongParts {
    /// The parts differ from those published before the match.
    Published,
    /// The parts give a different seed.
    Seed,
}

impl Part {
    /// A player's part in this seat: the host's secret and the bytes that the player contributed
    /// after receiving the commitment to it.
    pub fn new(seat: Seat, secret: Opening, contribution: [u8; 32]) -> Part {
        Part {
            seat,
            bytes: contribution,
            secret,
        }
    }

    fn published(&self) -> Contribution {
        Contribution {
            commitment: self.secret.commitment(),
            bytes: self.bytes,
            seat: self.seat,
        }
    }
}

impl Opening {
    /// An opening whose seed is made from these parts, of which there must be at least one. The
    /// salt must come from a cryptographic generator.
    pub fn joint(mut parts: Vec<Part>, salt: [u8; 32]) -> Opening {
        parts.sort_by_key(|part| part.seat);
        Opening {
            seed: seed_of(&parts),
            salt,
            parts,
        }
    }

    /// The players' contributions to the seed, by seat; empty when the host drew it alone.
    pub fn contributions(&self) -> Vec<Contribution> {
        self.parts.iter().map(Part::published).collect()
    }

    /// Checks that the parts are those that were published before the match, and that they give the
    /// seed.
    pub fn check_parts(&self, published: &[Contribution]) -> Result<(), WrongParts> {
        if self.contributions() != published {
            return Err(WrongParts::Published);
        }
        if !self.parts.is_empty() && self.seed != seed_of(&self.parts) {
            return Err(WrongParts::Seed);
        }
        Ok(())
    }
}

fn seed_of(parts: &[Part]) -> [u8; 32] {
    let mut ordered: Vec<&Part> = parts.iter().collect();
    ordered.sort_by_key(|part| part.secret.commitment().0);
    let mut bytes = DOMAIN.to_vec();
    for part in ordered {
        bytes.extend(part.secret.seed);
        bytes.extend(part.bytes);
    }
    *Hash::of_bytes(&bytes).as_bytes()
}

/// Reads contributions or parts, which must be in ascending order of seat, one for each.
pub(crate) fn read_by_seat<T: Document>(
    node: &Node<'_>,
    faults: &mut Faults,
    seat_of: impl Fn(&T) -> Seat,
) -> Option<Vec<T>> {
    let items = node.list(faults)?;
    let read: Vec<Option<T>> = items.iter().map(|item| T::read(item, faults)).collect();
    let read: Option<Vec<T>> = read.into_iter().collect();
    let read = read?;
    if read.is_empty() || !read.is_sorted_by(|one, next| seat_of(one) < seat_of(next)) {
        let expected = "expected at least one entry, in ascending order of seat";
        faults.at(node, "wrong_order", expected);
        return None;
    }
    Some(read)
}

pub(super) fn read_parts(node: &Node<'_>, faults: &mut Faults) -> Option<Vec<Part>> {
    if !node.exists() {
        return Some(Vec::new());
    }
    read_by_seat(node, faults, |part: &Part| part.seat)
}

impl Serialize for Contribution {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("commitment", &self.commitment)?;
        map.serialize_entry("contribution", &to_hex(&self.bytes))?;
        map.serialize_entry("seat", &self.seat)?;
        map.end()
    }
}

impl Document for Contribution {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Contribution> {
        node.only_fields(&["commitment", "contribution", "seat"], faults);
        let commitment = Commitment::read(&node.field("commitment"), faults);
        let bytes = read_hex(&node.field("contribution"), faults);
        let seat = Seat::read(&node.field("seat"), faults);
        Some(Contribution {
            commitment: commitment?,
            bytes: bytes?,
            seat: seat?,
        })
    }
}

impl Serialize for Part {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("contribution", &to_hex(&self.bytes))?;
        map.serialize_entry("salt", &to_hex(&self.secret.salt))?;
        map.serialize_entry("seat", &self.seat)?;
        map.serialize_entry("secret", &to_hex(&self.secret.seed))?;
        map.end()
    }
}

impl Document for Part {
    fn read(node: &Node<'_>, faults: &mut Faults) -> Option<Part> {
        node.only_fields(&["contribution", "salt", "seat", "secret"], faults);
        let bytes = read_hex(&node.field("contribution"), faults);
        let salt = read_hex(&node.field("salt"), faults);
        let seat = Seat::read(&node.field("seat"), faults);
        let secret = read_hex(&node.field("secret"), faults);
        Some(Part::new(seat?, Opening::new(secret?, salt?), bytes?))
    }
}

impl fmt::Display for WrongParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WrongParts::Published => {
                "the revealed parts of the seed do not match the contributions in the header"
            }
            WrongParts::Seed => "the parts of the seed, hashed together, give another seed",
        })
    }
}

impl std::error::Error for WrongParts {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::parse;
    use crate::json::from_value;

    fn part(seat: Seat, secret: u8, contribution: u8) -> Part {
        Part::new(
            seat,
            Opening::new([secret; 32], [9; 32]),
            [contribution; 32],
        )
    }

    fn two() -> Vec<Part> {
        vec![part(Seat::FIRST, 1, 2), part(Seat::SECOND, 3, 4)]
    }

    #[test]
    fn a_joint_opening_round_trips_and_passes_its_own_check() {
        let opening = Opening::joint(two(), [7; 32]);
        let again: Opening = parse(&from_value(&opening).unwrap()).unwrap();
        assert_eq!(again, opening);
        assert_eq!(again.check_parts(&opening.contributions()), Ok(()));
        assert_eq!(opening.commitment().verify(&again), Ok(()));
    }

    #[test]
    fn the_seed_is_the_sha256_of_secrets_and_contributions() {
        // python3 -c 'import hashlib; print(hashlib.sha256(b"referee joint seed 1" +
        // bytes([1]*32 + [2]*32)).hexdigest())'
        let opening = Opening::joint(vec![part(Seat::SECOND, 1, 2)], [7; 32]);
        assert_eq!(to_hex(&opening.seed), ONE_PART);
    }

    const ONE_PART: &str = "25ddb9fb7982d38ddf02fd221aa2a87d47a4ff245c7df15a0d391d99bd075a27";

    #[test]
    fn every_part_changes_the_seed_and_seats_do_not() {
        let seed = |parts: Vec<Part>| Opening::joint(parts, [7; 32]).seed;
        let base = seed(two());
        for other in [
            vec![part(Seat::FIRST, 1, 2)],
            vec![part(Seat::FIRST, 1, 5), part(Seat::SECOND, 3, 4)],
            vec![part(Seat::FIRST, 1, 2), part(Seat::SECOND, 5, 4)],
            vec![part(Seat::FIRST, 1, 4), part(Seat::SECOND, 3, 2)],
        ] {
            assert_ne!(seed(other), base);
        }
        let swapped = vec![part(Seat::FIRST, 3, 4), part(Seat::SECOND, 1, 2)];
        assert_eq!(seed(swapped), base);
    }

    #[test]
    fn parts_that_were_not_published_are_refused() {
        let opening = Opening::joint(two(), [7; 32]);
        let mut published = opening.contributions();
        assert_eq!(
            opening.check_parts(&published[..1]),
            Err(WrongParts::Published)
        );
        published.reverse();
        assert_eq!(opening.check_parts(&published), Err(WrongParts::Published));
        let alone = Opening::new([1; 32], [7; 32]);
        assert_eq!(alone.check_parts(&published), Err(WrongParts::Published));
        assert_eq!(alone.check_parts(&[]), Ok(()));
    }

    #[test]
    fn a_seed_that_the_parts_do_not_give_is_refused() {
        let opening = Opening::joint(two(), [7; 32]);
        let forged = Opening {
            seed: [0; 32],
            ..opening.clone()
        };
        let checked = forged.check_parts(&opening.contributions());
        assert_eq!(checked, Err(WrongParts::Seed));
    }
}
