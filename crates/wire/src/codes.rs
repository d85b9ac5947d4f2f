//! The codes that go over sockets: closed lists, each code with its sentence.
//!
//! Programs look at the code, people read the sentence; the server and the documents both
//! take them from here.

use std::fmt;

/// An enum of codes, each with its text and its sentence.
macro_rules! codes {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $code:literal, $sentence:literal;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name {
            $(#[doc = $sentence] $variant,)+
        }

        impl $name {
            /// Every code.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The stable code.
            pub const fn code(self) -> &'static str {
                match self {
                    $($name::$variant => $code,)+
                }
            }

            /// One sentence for people.
            pub const fn sentence(self) -> &'static str {
                match self {
                    $($name::$variant => $sentence,)+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.code())
            }
        }
    };
}

codes! {
    /// Why a message was refused. Nothing was changed.
    ErrorCode {
        NotHello = "not_hello", "The first message must be hello.";
        Unauthorized = "unauthorized", "The ticket or token is not, or no longer, good: get a new one.";
        ProtocolVersion = "protocol_version", "The server does not speak this version of the protocol.";
        MalformedMessage = "malformed_message", "The message cannot be read.";
        MessageTooLong = "message_too_long", "The message is longer than a message may be.";
        MessageTooDeep = "message_too_deep", "The message's lists and objects nest too deep.";
        UnsupportedMessage = "unsupported_message", "This kind of frame is not part of the protocol.";
        UnknownGame = "unknown_game", "There is no such game, or it cannot be played live here.";
        UnknownBot = "unknown_bot", "The game has no bot of this name.";
        UnknownMatch = "unknown_match", "There is no such match.";
        NotSeated = "not_seated", "The account has no seat in this match.";
        AlreadyInMatch = "already_in_match", "The account sits in a match: finish it first.";
        AlreadyQueued = "already_queued", "The account waits for an opponent already.";
        NotQueued = "not_queued", "The account does not wait for an opponent.";
        NotEnoughTokens = "not_enough_tokens", "The account has fewer tokens than the stake.";
        WrongStake = "wrong_stake", "The game is not played for this stake here.";
        InvitationUnknown = "invitation_unknown", "The invitation was taken, taken back or has expired.";
        InvitationOwn = "invitation_own", "Nobody can take an own invitation: send the link to somebody else.";
        RateLimited = "rate_limited", "Too many messages: wait a moment.";
        Draining = "draining", "The server is about to stop and begins no new matches: try again soon.";
        Busy = "busy", "The server has more to do than it can now: try again soon.";
        NotWatchable = "not_watchable", "The match cannot be watched.";
        Internal = "internal", "The server made a mistake; it was noted, and nothing was changed.";
    }
}

codes! {
    /// What the answer to a numbered message says when it was not taken just as it was.
    AckCode {
        InvalidCard = "invalid_card", "Orcain: a card that the hand does not have became an empty slot; the draft was taken so.";
        InvalidLayout = "invalid_layout", "Orcain: a confirm needs a card of the hand in every slot; it was refused, and shows that the player is there.";
        MalformedLayout = "malformed_layout", "Orcain: the draft is no list of as many slots as the round has steps; it was passed over.";
        TooManyDrafts = "too_many_drafts", "Orcain: there were as many drafts in this round as count; it was refused.";
        AlreadyConfirmed = "already_confirmed", "Orcain: the layout is final for this round; it was passed over.";
        WrongPhase = "wrong_phase", "It came at a time when nothing can be decided; it was passed over.";
        IncompleteAction = "incomplete_action", "It is only a part of a decision that must come whole; it was refused.";
        Late = "late", "It came after the deadline; it was passed over.";
        MatchOver = "match_over", "The match was over already; it was passed over.";
        Busy = "busy", "Too many events wait for storage; it was refused: send it again.";
        Known = "known", "A message with this number was answered before, too long ago to repeat the answer.";
    }
}

/// Why a connection was closed, as WebSocket close codes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CloseCode {
    /// The client asked for it.
    Normal,
    /// The server stops.
    GoingAway,
    /// The client broke the protocol.
    ProtocolError,
    /// A kind of frame that is not taken.
    Unsupported,
    /// Text that is none, again and again.
    InvalidPayload,
    /// The client did what it may not.
    Policy,
    /// A message over the limit.
    TooBig,
    /// The server made a mistake.
    Internal,
    /// The client did not keep up.
    TryAgainLater,
    /// A newer connection of the same account is there.
    TakenOver,
}

impl CloseCode {
    /// Every code.
    pub const ALL: &'static [CloseCode] = &[
        CloseCode::Normal,
        CloseCode::GoingAway,
        CloseCode::ProtocolError,
        CloseCode::Unsupported,
        CloseCode::InvalidPayload,
        CloseCode::Policy,
        CloseCode::TooBig,
        CloseCode::Internal,
        CloseCode::TryAgainLater,
        CloseCode::TakenOver,
    ];

    /// The number in the close frame.
    pub const fn number(self) -> u16 {
        match self {
            CloseCode::Normal => 1000,
            CloseCode::GoingAway => 1001,
            CloseCode::ProtocolError => 1002,
            CloseCode::Unsupported => 1003,
            CloseCode::InvalidPayload => 1007,
            CloseCode::Policy => 1008,
            CloseCode::TooBig => 1009,
            CloseCode::Internal => 1011,
            CloseCode::TryAgainLater => 1013,
            CloseCode::TakenOver => 4001,
        }
    }

    /// What it means for the client.
    pub const fn sentence(self) -> &'static str {
        match self {
            CloseCode::Normal => {
                "The client closed the connection, or the server had no more to say."
            }
            CloseCode::GoingAway => {
                "The server stops; matches go on after the restart, so come back."
            }
            CloseCode::ProtocolError => "The frames are not those of the protocol.",
            CloseCode::Unsupported => "Binary messages are not taken; send text.",
            CloseCode::InvalidPayload => {
                "Messages were not UTF-8, or not JSON several times in a row."
            }
            CloseCode::Policy => {
                "The client sent too much, said no hello in time, or came from another origin."
            }
            CloseCode::TooBig => "A message was longer than a message may be.",
            CloseCode::Internal => "The server made a mistake; come back.",
            CloseCode::TryAgainLater => {
                "The client read too slowly and its queue was full; come back and resume."
            }
            CloseCode::TakenOver => {
                "A newer connection of the same account has taken over; do not come back by yourself."
            }
        }
    }
}

impl From<&crate::Misread> for ErrorCode {
    fn from(misread: &crate::Misread) -> ErrorCode {
        use crate::Misread;
        match misread {
            Misread::TooLong => ErrorCode::MessageTooLong,
            Misread::TooDeep => ErrorCode::MessageTooDeep,
            Misread::Malformed(_) => ErrorCode::MalformedMessage,
            Misread::Unsupported(_) => ErrorCode::UnsupportedMessage,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Misread;

    #[test]
    fn codes_are_different_and_every_sentence_ends() {
        let codes: BTreeSet<&str> = ErrorCode::ALL.iter().map(|it| it.code()).collect();
        assert_eq!(codes.len(), ErrorCode::ALL.len());
        let numbers: BTreeSet<u16> = CloseCode::ALL.iter().map(|it| it.number()).collect();
        assert_eq!(numbers.len(), CloseCode::ALL.len());
        let errors = ErrorCode::ALL.iter().map(|it| it.sentence());
        let acks = AckCode::ALL.iter().map(|it| it.sentence());
        let closes = CloseCode::ALL.iter().map(|it| it.sentence());
        for sentence in errors.chain(acks).chain(closes) {
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }

    #[test]
    fn a_misread_message_has_the_same_code_in_both_places() {
        for misread in [
            Misread::TooLong,
            Misread::TooDeep,
            Misread::Malformed(String::new()),
            Misread::Unsupported("binary packets"),
        ] {
            assert_eq!(ErrorCode::from(&misread).code(), misread.code());
        }
    }
}
