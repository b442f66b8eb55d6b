-- As lock_key, for a lock of which only the id is known. A release waits its turn too, so that a waiter has registered
-- either before the release looks for waiters, or not before the release is committed.
--
-- :lock_id

SELECT pg_advisory_xact_lock(hashtext(key)) FROM {locks} WHERE lock_id = :lock_id
