-- Accounts that people can trust.

-- What nicknames look like. A name has up to three looks (as it is written, in small letters,
-- in capitals); two accounts cannot have one in common. The rows of existing names are written
-- by the program, because SQL cannot compute them.
CREATE TABLE nickname_looks (
    look TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (account)
) STRICT;
CREATE INDEX nickname_looks_of_account ON nickname_looks (account);

-- Where accounts are signed in. Every token of the first schema becomes a sign-in of its own,
-- so that nobody is signed out by the change.
CREATE TABLE sign_ins (
    id INTEGER PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (account),
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    proven_at INTEGER,
    agent TEXT NOT NULL
) STRICT;
CREATE INDEX sign_ins_of_account ON sign_ins (account, created_at);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);
INSERT INTO sign_ins (id, account, created_at, last_seen_at, expires_at, agent)
    SELECT row_number() OVER (ORDER BY created_at, hash), account, created_at, created_at,
        expires_at, ''
    FROM tokens;

-- Their secrets: only the SHA-256 is here.
CREATE TABLE sign_in_tokens (
    hash BLOB PRIMARY KEY,
    sign_in INTEGER NOT NULL REFERENCES sign_ins (id),
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO sign_in_tokens (hash, sign_in, created_at)
    SELECT hash, row_number() OVER (ORDER BY created_at, hash), created_at FROM tokens;
DROP TABLE tokens;
ALTER TABLE sign_in_tokens RENAME TO tokens;
CREATE INDEX tokens_of_sign_in ON tokens (sign_in, created_at);

-- Tickets last seconds, so those of the first schema are dropped.
DROP TABLE tickets;
CREATE TABLE tickets (
    hash BLOB PRIMARY KEY,
    sign_in INTEGER NOT NULL REFERENCES sign_ins (id),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tickets_of_sign_in ON tickets (sign_in);
CREATE INDEX tickets_by_expiry ON tickets (expires_at);

-- Codes that open an account without its password, once each.
CREATE TABLE recovery_codes (
    hash BLOB PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (account),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX recovery_codes_of_account ON recovery_codes (account);

-- The account of a person who left keeps its number and its bookings, and nothing else.
ALTER TABLE accounts ADD COLUMN deleted_at INTEGER;

-- What operators decided about accounts. A sanction without an end is for good.
CREATE TABLE sanctions (
    account INTEGER NOT NULL REFERENCES accounts (account),
    kind TEXT NOT NULL,
    until INTEGER,
    reason TEXT NOT NULL,
    operator TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (account, kind)
) STRICT;

-- Matches that the running server is to void.
CREATE TABLE void_orders (
    game_id TEXT PRIMARY KEY REFERENCES matches (game_id),
    at INTEGER NOT NULL
) STRICT;

-- Rises with every decision, so that the server has one number to look at.
CREATE TABLE moderation (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
) STRICT;
INSERT INTO moderation (id, version) VALUES (1, 0);

-- Where the audit begins since its older rows were pruned: the last of those.
CREATE TABLE audit_base (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    chain BLOB NOT NULL
) STRICT;
