-- Makes all who decide on a key take turns until they have committed. A client of the reference implementation takes the
-- same lock and then overwrites the row without looking again, so nobody may acquire without it.
-- The statements after this one see what those before us have committed.
--
-- :key  the lock's storage key

SELECT pg_advisory_xact_lock(hashtext(:key))
