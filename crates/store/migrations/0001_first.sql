-- The first schema. Written for SQLite; `schema.rs` turns the types into PostgreSQL's.
-- Times are milliseconds since the epoch; tokens are whole.

-- Who may write. One row: a process that claims the store raises the epoch, and a
-- transaction of an older epoch finds that it is no longer the writer.
CREATE TABLE writer (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL,
    n_commits INTEGER NOT NULL,
    claimed_at INTEGER NOT NULL
) STRICT;
INSERT INTO writer (id, epoch, n_commits, claimed_at) VALUES (1, 0, 0, 0);

CREATE TABLE accounts (
    account INTEGER PRIMARY KEY CHECK (account > 0),
    public_id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    nickname TEXT,
    nickname_key TEXT UNIQUE,
    n_renames INTEGER NOT NULL DEFAULT 0,
    language TEXT NOT NULL,
    avatar TEXT NOT NULL,
    telegram_user_id INTEGER UNIQUE,
    login TEXT UNIQUE,
    password_hash TEXT
) STRICT;

-- Bearer tokens and tickets: only their SHA-256 is here.
CREATE TABLE tokens (
    hash BLOB PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (account),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_of_account ON tokens (account, created_at);
CREATE INDEX tokens_by_expiry ON tokens (expires_at);

CREATE TABLE tickets (
    hash BLOB PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (account),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tickets_by_expiry ON tickets (expires_at);

CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    game_id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    mode TEXT NOT NULL,
    state TEXT NOT NULL,
    terms TEXT NOT NULL,
    secret BLOB NOT NULL,
    stake INTEGER NOT NULL CHECK (stake >= 0),
    created_at INTEGER NOT NULL,
    outcome TEXT,
    reason TEXT,
    rounds INTEGER,
    winner INTEGER,
    ended_at INTEGER,
    record_hash TEXT
) STRICT;
CREATE INDEX matches_by_state ON matches (state, number);
CREATE INDEX matches_by_game ON matches (game, number);

CREATE TABLE seats (
    game_id TEXT NOT NULL REFERENCES matches (game_id),
    seat INTEGER NOT NULL,
    number INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (account),
    bot TEXT,
    name TEXT NOT NULL,
    PRIMARY KEY (game_id, seat)
) STRICT;
CREATE INDEX seats_of_account ON seats (account, number);

-- One open match for each account.
CREATE TABLE seated (
    account INTEGER PRIMARY KEY REFERENCES accounts (account),
    game_id TEXT NOT NULL REFERENCES matches (game_id)
) STRICT;
CREATE INDEX seated_of_match ON seated (game_id);

-- Events are written at the end of the table in the order in which they come, and found by
-- the number of their match: matches that run at the same time have numbers near each other,
-- so that a thousand of them touch few pages.
CREATE TABLE events (
    match_number INTEGER NOT NULL REFERENCES matches (number),
    version INTEGER NOT NULL CHECK (version > 0),
    bytes BLOB NOT NULL,
    UNIQUE (match_number, version)
) STRICT;

-- The ledger. A transfer moves tokens between accounts of the ledger; its entries sum to
-- zero. A balance is the sum of the entries of one account, kept beside them.
CREATE TABLE transfers (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    game_id TEXT REFERENCES matches (game_id),
    at INTEGER NOT NULL,
    memo TEXT NOT NULL,
    operator TEXT
) STRICT;

CREATE TABLE entries (
    transfer INTEGER NOT NULL REFERENCES transfers (number),
    account TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount <> 0),
    PRIMARY KEY (transfer, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_of_account ON entries (account, transfer);

CREATE TABLE balances (
    account TEXT PRIMARY KEY,
    amount INTEGER NOT NULL,
    CHECK (amount >= 0 OR account = 'issue')
) STRICT;

CREATE TABLE results (
    game_id TEXT NOT NULL REFERENCES matches (game_id),
    account INTEGER NOT NULL REFERENCES accounts (account),
    opponent TEXT,
    result TEXT NOT NULL,
    reason TEXT NOT NULL,
    rounds INTEGER NOT NULL,
    league_delta INTEGER NOT NULL,
    league_after INTEGER NOT NULL,
    rating_after REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (game_id, account)
) STRICT;
CREATE INDEX results_of_account ON results (account, at);

CREATE TABLE stats (
    account INTEGER PRIMARY KEY REFERENCES accounts (account),
    n_battles INTEGER NOT NULL,
    n_wins INTEGER NOT NULL,
    n_losses INTEGER NOT NULL,
    n_draws INTEGER NOT NULL,
    n_pvp_battles INTEGER NOT NULL,
    n_pve_battles INTEGER NOT NULL,
    n_pvp_wins INTEGER NOT NULL,
    n_pve_wins INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE ratings (
    account INTEGER NOT NULL REFERENCES accounts (account),
    game TEXT NOT NULL,
    league INTEGER NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    n_rated INTEGER NOT NULL,
    PRIMARY KEY (account, game)
) STRICT;
CREATE INDEX ratings_by_league ON ratings (game, league, rating);
CREATE INDEX ratings_by_rating ON ratings (game, rating);

CREATE TABLE invitations (
    code_hash BLOB PRIMARY KEY,
    game TEXT NOT NULL,
    stake INTEGER NOT NULL CHECK (stake >= 0),
    creator INTEGER NOT NULL REFERENCES accounts (account),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    options TEXT NOT NULL
) STRICT;
CREATE INDEX invitations_of_creator ON invitations (creator, expires_at);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);

-- What people did that somebody may ask about. Each row is chained to the one before it,
-- and the head is kept apart, so that a row that is changed or cut off is missed.
CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    account INTEGER REFERENCES accounts (account),
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    chain BLOB NOT NULL
) STRICT;
CREATE INDEX audit_of_account ON audit (account, number);
CREATE TABLE audit_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    chain BLOB NOT NULL
) STRICT;
