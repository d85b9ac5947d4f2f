-- Accounts that people can trust.

-- What nicknames look like. A name has up to three looks (as it is written, in small letters,
-- in capitals); two accounts cannot have one in common. The rows of existing names are written
-- by the program, because SQL cannot compute them.
CREATE TABLE nickname_looks (
    look TEXT PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts (account)
) STRICT;
CREATE INDEX nickname_looks_of_account ON nickname_looks (account);
