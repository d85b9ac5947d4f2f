//! The closed lists of error codes and close codes, each with a sentence for people.

/// The reason for a refusal. The code is stable; the sentence may be improved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ErrorCode {
    /// The first message must be `hello`.
    NotHello,
    /// The token or ticket is unknown or has expired.
    Unauthorized,
    /// The account is banned.
    Banned,
    /// The client speaks another version of the protocol.
    ProtocolVersion,
    /// The message cannot be parsed.
    MalformedMessage,
    /// The message is too long.
    MessageTooLong,
    /// The message is nested too deeply.
    MessageTooDeep,
    /// This type of message does not exist.
    UnsupportedMessage,
    /// The `ask` does not follow the game's format.
    MalformedAsk,
    /// The game cannot be played live.
    UnknownGame,
    /// The game has no such bot.
    UnknownBot,
    /// No live match has this id.
    UnknownMatch,
    /// The account has no seat in the match.
    NotSeated,
    /// The account already has a seat in a match.
    AlreadyInMatch,
    /// The account is already in a queue.
    AlreadyQueued,
    /// The account is in no queue.
    NotQueued,
    /// The account cannot pay the stake.
    NotEnoughTokens,
    /// The stake is not offered.
    WrongStake,
    /// The invitation does not exist, was accepted, or has expired.
    InvitationUnknown,
    /// The account made the invitation itself.
    InvitationOwn,
    /// The player who made the invitation is offline or in a match.
    InvitationMakerAway,
    /// The account has too many open invitations.
    TooManyInvitations,
    /// The lobby does not exist, has started, or was closed.
    LobbyUnknown,
    /// All seats in the lobby are taken.
    LobbyFull,
    /// There can be no rematch of this match.
    RematchUnknown,
    /// Evaluation is available only in matches against bots.
    ChancesBetweenPeople,
    /// Another seat must `sit` first.
    WrongSeat,
    /// The contribution does not name the client's latest commitment.
    SeedOfferUnknown,
    /// The client sent too many messages.
    RateLimited,
    /// The server is about to stop.
    Draining,
    /// The server is overloaded.
    Busy,
    /// Storage cannot be written.
    StorageUnavailable,
    /// The match has as many spectators as it can take.
    NotWatchable,
    /// The server failed unexpectedly.
    Internal,
}

impl ErrorCode {
    /// Every code, in the order of the docs.
    pub const ALL: [ErrorCode; 34] = [
        ErrorCode::NotHello,
        ErrorCode::Unauthorized,
        ErrorCode::Banned,
        ErrorCode::ProtocolVersion,
        ErrorCode::MalformedMessage,
        ErrorCode::MessageTooLong,
        ErrorCode::MessageTooDeep,
        ErrorCode::UnsupportedMessage,
        ErrorCode::MalformedAsk,
        ErrorCode::UnknownGame,
        ErrorCode::UnknownBot,
        ErrorCode::UnknownMatch,
        ErrorCode::NotSeated,
        ErrorCode::AlreadyInMatch,
        ErrorCode::AlreadyQueued,
        ErrorCode::NotQueued,
        ErrorCode::NotEnoughTokens,
        ErrorCode::WrongStake,
        ErrorCode::InvitationUnknown,
        ErrorCode::InvitationOwn,
        ErrorCode::InvitationMakerAway,
        ErrorCode::TooManyInvitations,
        ErrorCode::LobbyUnknown,
        ErrorCode::LobbyFull,
        ErrorCode::RematchUnknown,
        ErrorCode::ChancesBetweenPeople,
        ErrorCode::WrongSeat,
        ErrorCode::SeedOfferUnknown,
        ErrorCode::RateLimited,
        ErrorCode::Draining,
        ErrorCode::Busy,
        ErrorCode::StorageUnavailable,
        ErrorCode::NotWatchable,
        ErrorCode::Internal,
    ];

    /// The stable code on the wire.
    pub const fn code(self) -> &'static str {
        self.both().0
    }

    /// One sentence for people: what is wrong, and what to do next.
    pub const fn sentence(self) -> &'static str {
        self.both().1
    }

    const fn both(self) -> (&'static str, &'static str) {
        match self {
            ErrorCode::NotHello => ("not_hello", "Send hello before anything else."),
            ErrorCode::Unauthorized => (
                "unauthorized",
                "This token or ticket is unknown or has expired: sign in again.",
            ),
            ErrorCode::Banned => (
                "account_banned",
                "This account is banned: ask the operator for the reason.",
            ),
            ErrorCode::ProtocolVersion => (
                "protocol_version",
                "This server speaks version 1 of the protocol: update the client.",
            ),
            ErrorCode::MalformedMessage => ("malformed_message", "The message cannot be parsed."),
            ErrorCode::MessageTooLong => {
                ("message_too_long", "A message may have at most 4096 bytes.")
            }
            ErrorCode::MessageTooDeep => (
                "message_too_deep",
                "Lists and objects may nest at most 8 deep.",
            ),
            ErrorCode::UnsupportedMessage => (
                "unsupported_message",
                "This type of message does not exist.",
            ),
            ErrorCode::MalformedAsk => (
                "malformed_ask",
                "The ask does not follow this game's format.",
            ),
            ErrorCode::UnknownGame => ("unknown_game", "This game cannot be played live here."),
            ErrorCode::UnknownBot => ("unknown_bot", "This game has no bot of this name."),
            ErrorCode::UnknownMatch => ("unknown_match", "There is no live match with this id."),
            ErrorCode::NotSeated => ("not_seated", "You have no seat in this match."),
            ErrorCode::AlreadyInMatch => ("already_in_match", "You are already in a match."),
            ErrorCode::AlreadyQueued => ("already_queued", "You are already in a queue."),
            ErrorCode::NotQueued => ("not_queued", "You are not in a queue."),
            ErrorCode::NotEnoughTokens => (
                "not_enough_tokens",
                "You do not have enough tokens for this stake.",
            ),
            ErrorCode::WrongStake => ("wrong_stake", "This game is not offered with this stake."),
            ErrorCode::InvitationUnknown => (
                "invitation_unknown",
                "This invitation does not exist, was accepted, or has expired.",
            ),
            ErrorCode::InvitationOwn => (
                "invitation_own",
                "You cannot accept your own invitation: send it to someone else.",
            ),
            ErrorCode::InvitationMakerAway => (
                "invitation_maker_away",
                "The person who invited you is offline or in a match: try again in a moment.",
            ),
            ErrorCode::TooManyInvitations => (
                "too_many_invitations",
                "You have too many open invitations: cancel one first.",
            ),
            ErrorCode::LobbyUnknown => (
                "table_unknown",
                "This lobby does not exist, has started, or was closed.",
            ),
            ErrorCode::LobbyFull => ("table_full", "All seats in this lobby are taken."),
            ErrorCode::RematchUnknown => (
                "rematch_unknown",
                "No rematch is possible: the match is live, not yours, or ended too long ago.",
            ),
            ErrorCode::ChancesBetweenPeople => (
                "chances_between_people",
                "Evaluation is available only in matches against bots.",
            ),
            ErrorCode::WrongSeat => (
                "wrong_seat",
                "The match is waiting for another seat: its player must sit down.",
            ),
            ErrorCode::SeedOfferUnknown => (
                "seed_offer_unknown",
                "Name the latest commitment that this connection received.",
            ),
            ErrorCode::RateLimited => ("rate_limited", "Too many messages: slow down."),
            ErrorCode::Draining => (
                "draining",
                "The server is about to restart: try again in a minute.",
            ),
            ErrorCode::Busy => ("busy", "The server is overloaded: try again soon."),
            ErrorCode::StorageUnavailable => (
                "storage_unavailable",
                "The server cannot save anything right now: try again in a few seconds.",
            ),
            ErrorCode::NotWatchable => (
                "not_watchable",
                "This match has as many spectators as it can take.",
            ),
            ErrorCode::Internal => (
                "internal",
                "The server failed unexpectedly; nothing was changed.",
            ),
        }
    }
}

/// The reason why a socket was closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CloseCode {
    /// The conversation is over.
    Normal,
    /// The server is stopping.
    GoingAway,
    /// The client broke the protocol.
    Protocol,
    /// The client sent something that this protocol does not have.
    Unsupported,
    /// The client sent something that is not valid text.
    Malformed,
    /// The client broke a rule: it flooded, sent nothing, or connected from a foreign page.
    Policy,
    /// The client sent a message that was too long.
    TooBig,
    /// The server failed unexpectedly.
    Internal,
    /// The client does not keep up, or the match that it plays or watches failed: it may reconnect
    /// and resume.
    TryAgainLater,
    /// A newer connection of the same account has taken over the seat.
    TakenOver,
    /// The sign-in of the connection was revoked.
    SignedOut,
    /// The account is banned.
    Banned,
}

impl CloseCode {
    /// Every code, in ascending order.
    pub const ALL: [CloseCode; 12] = [
        CloseCode::Normal,
        CloseCode::GoingAway,
        CloseCode::Protocol,
        CloseCode::Unsupported,
        CloseCode::Malformed,
        CloseCode::Policy,
        CloseCode::TooBig,
        CloseCode::Internal,
        CloseCode::TryAgainLater,
        CloseCode::TakenOver,
        CloseCode::SignedOut,
        CloseCode::Banned,
    ];

    /// True if a client must not reconnect automatically.
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            CloseCode::TakenOver | CloseCode::SignedOut | CloseCode::Banned
        )
    }

    /// The close code of the WebSocket.
    pub const fn number(self) -> u16 {
        match self {
            CloseCode::Normal => 1000,
            CloseCode::GoingAway => 1001,
            CloseCode::Protocol => 1002,
            CloseCode::Unsupported => 1003,
            CloseCode::Malformed => 1007,
            CloseCode::Policy => 1008,
            CloseCode::TooBig => 1009,
            CloseCode::Internal => 1011,
            CloseCode::TryAgainLater => 1013,
            CloseCode::TakenOver => 4001,
            CloseCode::SignedOut => 4003,
            CloseCode::Banned => 4004,
        }
    }

    /// One sentence for people.
    pub const fn sentence(self) -> &'static str {
        match self {
            CloseCode::Normal => "The conversation is over.",
            CloseCode::GoingAway => "The server is stopping: reconnect in a moment.",
            CloseCode::Protocol => "The client broke the protocol.",
            CloseCode::Unsupported => "The client sent something that this protocol does not have.",
            CloseCode::Malformed => "The client sent something that is not valid text.",
            CloseCode::Policy => {
                "The client flooded, sent nothing, or connected from a foreign page."
            }
            CloseCode::TooBig => "A message was too long.",
            CloseCode::Internal => "The server failed unexpectedly.",
            CloseCode::TryAgainLater => {
                "The client does not keep up, or its match failed: reconnect and resume."
            }
            CloseCode::TakenOver => {
                "A newer connection of the same account has taken over the seat."
            }
            CloseCode::SignedOut => "You were signed out on this device: sign in again.",
            CloseCode::Banned => "This account is banned.",
        }
    }
}

/// The `code` of an answer to a numbered message that was refused, ignored or corrected, in any
/// game, with its sentence. A game has [further codes](session::Live::REFUSALS).
pub const ACK_CODES: &[(&str, &str)] = &[
    (
        "wrong_phase",
        "There was nothing to decide. The message was ignored.",
    ),
    (
        "incomplete_action",
        "The message holds only part of a decision. It was refused.",
    ),
    (
        "one_decision_at_a_time",
        "The message holds more than one decision: send each separately. It was refused.",
    ),
    (
        "illegal_action",
        "The rules do not allow this now. The message was refused.",
    ),
    (
        "not_your_turn",
        "It is another seat's turn. The message was refused.",
    ),
    (
        "late",
        "The message arrived after the deadline. It was ignored.",
    ),
    ("match_over", "The match was over. The message was ignored."),
    (
        "busy",
        "Storage is falling behind. The message was refused: send it again with the next number.",
    ),
    (
        "known",
        "This message and a later one have already been answered.",
    ),
];

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
    use super::*;

    #[test]
    fn codes_are_distinct() {
        let mut codes: Vec<&str> = ErrorCode::ALL.iter().map(|it| it.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ErrorCode::ALL.len());
        let mut numbers: Vec<u16> = CloseCode::ALL.iter().map(|it| it.number()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), CloseCode::ALL.len());
    }

    #[test]
    fn a_misread_message_has_the_same_code_in_both_enums() {
        use crate::Misread;
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
