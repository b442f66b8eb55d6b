-- Makes the statement after this one see the row as it is, and nobody change it, until that is committed.
--
-- :lock_id

SELECT 1 FROM {locks} WHERE lock_id = :lock_id FOR UPDATE
