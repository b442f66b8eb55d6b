-- As lock_key, for a lock of which only the id is known. A release waits its turn too, so that a waiter has registered
-- either before the release looks for waiters, or not before the release is committed. So does an extend, so that it is
-- committed before a client of the reference implementation looks at the row, or not before that has overwritten it.
--
-- :lock_id

SELECT pg_advisory_xact_lock(hashtext(key)) FROM {locks} WHERE lock_id = :lock_id
