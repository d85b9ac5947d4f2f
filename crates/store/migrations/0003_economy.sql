-- Daily bounds on what one account gains. A match says which bound made it free of a stake or
-- unrated; a result says whether one of the others was a newcomer.
ALTER TABLE matches ADD COLUMN stake_bound TEXT;
ALTER TABLE matches ADD COLUMN rating_bound TEXT;
ALTER TABLE results ADD COLUMN newcomer INTEGER NOT NULL DEFAULT 0;
