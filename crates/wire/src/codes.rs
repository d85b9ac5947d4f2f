//! The closed lists of error codes and close codes, each with its sentence.

/// Why something was refused. The code is stable; the sentence may be improved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ErrorCode {
    /// The first message must be `hello`.
    NotHello,
    /// The token or ticket is not known.
    Unauthorized,
    /// The account is banned.
    Banned,
    /// The client speaks another version of the protocol.
    ProtocolVersion,
    /// The message cannot be read.
    MalformedMessage,
    /// The message is too long.
    MessageTooLong,
    /// The message nests too deep.
    MessageTooDeep,
    /// That kind of message does not exist here.
    UnsupportedMessage,
    /// The ask of a game cannot be read.
    MalformedAsk,
    /// The game cannot be played live.
    UnknownGame,
    /// The game has no such bot.
    UnknownBot,
    /// No such match runs.
    UnknownMatch,
    /// The account has no seat there.
    NotSeated,
    /// The account sits in a match.
    AlreadyInMatch,
    /// The account waits already.
    AlreadyQueued,
    /// The account does not wait.
    NotQueued,
    /// The account cannot pay the stake.
    NotEnoughTokens,
    /// The stake is not offered.
    WrongStake,
    /// There is no such invitation.
    InvitationUnknown,
    /// The invitation is the account's own.
    InvitationOwn,
    /// Who made the invitation is not here.
    InvitationMakerAway,
    /// The account has made too many invitations.
    TooManyInvitations,
    /// There is no such table.
    TableUnknown,
    /// All seats of the table are taken.
    TableFull,
    /// The match cannot be played again.
    RematchUnknown,
    /// Chances are told only to who plays alone against bots.
    ChancesBetweenPeople,
    /// Another seat is to sit down.
    WrongSeat,
    /// The contribution names another commitment than the client's last one.
    SeedOfferUnknown,
    /// Too many messages.
    RateLimited,
    /// The server is about to stop.
    Draining,
    /// The server cannot take it now.
    Busy,
    /// Storage is away.
    StorageUnavailable,
    /// The match cannot be watched.
    NotWatchable,
    /// Something went wrong inside.
    Internal,
}

impl ErrorCode {
    /// Every code.
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
        ErrorCode::TableUnknown,
        ErrorCode::TableFull,
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

    /// The stable code.
    pub const fn code(self) -> &'static str {
        self.both().0
    }

    /// One sentence for people: what is wrong, and what would be right.
    pub const fn sentence(self) -> &'static str {
        self.both().1
    }

    const fn both(self) -> (&'static str, &'static str) {
        match self {
            ErrorCode::NotHello => ("not_hello", "Say hello first: nobody knows who you are."),
            ErrorCode::Unauthorized => (
                "unauthorized",
                "This token or ticket is not known, or has run out: sign in again.",
            ),
            ErrorCode::Banned => (
                "account_banned",
                "This account is banned: ask the operator for the reason.",
            ),
            ErrorCode::ProtocolVersion => (
                "protocol_version",
                "This server speaks version 1 of the protocol: update the client.",
            ),
            ErrorCode::MalformedMessage => ("malformed_message", "The message cannot be read."),
            ErrorCode::MessageTooLong => ("message_too_long", "A message has at most 4096 bytes."),
            ErrorCode::MessageTooDeep => {
                ("message_too_deep", "Lists and objects nest at most 8 deep.")
            }
            ErrorCode::UnsupportedMessage => (
                "unsupported_message",
                "There is no such kind of message here.",
            ),
            ErrorCode::MalformedAsk => (
                "malformed_ask",
                "What is asked for is not in the game's own words.",
            ),
            ErrorCode::UnknownGame => ("unknown_game", "This game cannot be played live here."),
            ErrorCode::UnknownBot => ("unknown_bot", "This game has no such bot: see the lobby."),
            ErrorCode::UnknownMatch => ("unknown_match", "No such match runs now."),
            ErrorCode::NotSeated => ("not_seated", "You have no seat in this match."),
            ErrorCode::AlreadyInMatch => (
                "already_in_match",
                "You sit in a match: one seat at a time.",
            ),
            ErrorCode::AlreadyQueued => ("already_queued", "You wait for an opponent already."),
            ErrorCode::NotQueued => ("not_queued", "You do not wait for an opponent."),
            ErrorCode::NotEnoughTokens => (
                "not_enough_tokens",
                "You do not have enough tokens for this stake.",
            ),
            ErrorCode::WrongStake => (
                "wrong_stake",
                "This stake is not offered: see the lobby for those that are.",
            ),
            ErrorCode::InvitationUnknown => (
                "invitation_unknown",
                "This invitation does not exist, was taken, or has run out.",
            ),
            ErrorCode::InvitationOwn => (
                "invitation_own",
                "This invitation is your own: send it to somebody else.",
            ),
            ErrorCode::InvitationMakerAway => (
                "invitation_maker_away",
                "Who invited you is not here now, or plays: try again in a moment.",
            ),
            ErrorCode::TooManyInvitations => (
                "too_many_invitations",
                "You have as many open invitations as you may have: take one back first.",
            ),
            ErrorCode::TableUnknown => (
                "table_unknown",
                "This table does not exist, has begun, or was closed.",
            ),
            ErrorCode::TableFull => ("table_full", "All seats of this table are taken."),
            ErrorCode::RematchUnknown => (
                "rematch_unknown",
                "This match cannot be played again: it runs, it was another's, or it ended long ago.",
            ),
            ErrorCode::ChancesBetweenPeople => (
                "chances_between_people",
                "A bot says how it sees the chances only to who plays alone against bots.",
            ),
            ErrorCode::WrongSeat => (
                "wrong_seat",
                "The match waits for another seat: its player is to sit down.",
            ),
            ErrorCode::SeedOfferUnknown => (
                "seed_offer_unknown",
                "Contribute to the commitment that this connection was given last.",
            ),
            ErrorCode::RateLimited => ("rate_limited", "Too many messages: slow down."),
            ErrorCode::Draining => (
                "draining",
                "The server is about to restart: try again in a minute.",
            ),
            ErrorCode::Busy => ("busy", "The server cannot take this now: try again soon."),
            ErrorCode::StorageUnavailable => (
                "storage_unavailable",
                "The server cannot save anything right now: try again in a few seconds.",
            ),
            ErrorCode::NotWatchable => {
                ("not_watchable", "This match has all the spectators it can.")
            }
            ErrorCode::Internal => (
                "internal",
                "Something went wrong here; nothing was changed.",
            ),
        }
    }
}

/// Why a socket was closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CloseCode {
    /// All is done.
    Normal,
    /// The server stops.
    GoingAway,
    /// The client broke the protocol.
    Protocol,
    /// The client sent what this protocol does not have.
    Unsupported,
    /// The client sent what is no text.
    Malformed,
    /// The client broke a rule: it flooded, said nothing, or comes from a foreign page.
    Policy,
    /// The client sent too much at once.
    TooBig,
    /// Something went wrong inside.
    Internal,
    /// The client does not keep up, or the match it plays or watches broke down: it may connect
    /// again and resume.
    TryAgainLater,
    /// A newer connection of the same account has the seat.
    TakenOver,
    /// The sign-in of the connection was ended.
    SignedOut,
    /// The account is banned.
    Banned,
}

impl CloseCode {
    /// Every code.
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

    /// Whether a client must not connect again by itself.
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            CloseCode::TakenOver | CloseCode::SignedOut | CloseCode::Banned
        )
    }

    /// The number on the wire.
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
            CloseCode::Normal => "All is done.",
            CloseCode::GoingAway => "The server stops: connect again in a moment.",
            CloseCode::Protocol => "The client broke the protocol.",
            CloseCode::Unsupported => "The client sent what this protocol does not have.",
            CloseCode::Malformed => "The client sent what cannot be read.",
            CloseCode::Policy => "The client flooded, said nothing, or comes from a foreign page.",
            CloseCode::TooBig => "A message was too long.",
            CloseCode::Internal => "Something went wrong here.",
            CloseCode::TryAgainLater => {
                "The client does not keep up, or its match broke down: connect again and resume."
            }
            CloseCode::TakenOver => "A newer connection of the same account has the seat.",
            CloseCode::SignedOut => "You were signed out on this device: sign in again.",
            CloseCode::Banned => "This account is banned.",
        }
    }
}

/// Why a numbered message was not taken as it came, in any game: the `code` of the answer to it.
/// A game has [further codes](session::Live::REFUSALS).
pub const ACK_CODES: &[(&str, &str)] = &[
    (
        "wrong_phase",
        "It came when there was nothing to decide. It was ignored.",
    ),
    (
        "incomplete_action",
        "It is a part of a decision that must come whole. It was refused.",
    ),
    (
        "one_decision_at_a_time",
        "It is more than one decision: ask for each by itself. It was refused.",
    ),
    (
        "illegal_action",
        "The rules do not allow it now. It was refused.",
    ),
    ("not_your_turn", "Another seat decides now. It was refused."),
    ("late", "It came after the deadline. It was ignored."),
    ("match_over", "The match was over. It was ignored."),
    (
        "busy",
        "Too many events wait for storage. It was refused: ask again with the next number.",
    ),
    (
        "known",
        "A message with this number was answered before, and a later one since.",
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
    fn codes_are_told_apart() {
        let mut codes: Vec<&str> = ErrorCode::ALL.iter().map(|it| it.code()).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ErrorCode::ALL.len());
        let mut numbers: Vec<u16> = CloseCode::ALL.iter().map(|it| it.number()).collect();
        numbers.dedup();
        assert_eq!(numbers.len(), CloseCode::ALL.len());
    }

    #[test]
    fn a_misread_message_has_the_same_code_in_both_places() {
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
