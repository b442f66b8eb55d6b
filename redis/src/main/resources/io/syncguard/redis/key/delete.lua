-- Deletes what is stored under a key, whatever it is.
--
-- KEYS[1]  secret or counter
--
-- Returns  1 deleted  0 there was nothing
-- Errors   only those of Redis

return redis.call('DEL', KEYS[1])
