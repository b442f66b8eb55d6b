-- Confirms a slot that was granted, if it is still there.
--
-- KEYS     part/names.lua says which
-- ARGV[1]  id
-- ARGV[2]  heartbeat timeout, in milliseconds
-- ARGV[3]  ttl, in milliseconds
--
-- Returns  <slots taken>, <expiry in ms>, <held for ms>  held
--          0                                             not granted, or no longer; nothing was changed
-- Errors   only those of Redis

-- include part/names.lua
-- include part/clock.lua
-- include part/terms.lua
-- include part/names_of_waiters.lua
-- include part/outlive.lua
-- include part/granted.lua

return 0
