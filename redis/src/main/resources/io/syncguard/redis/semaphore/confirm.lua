-- Confirms a slot that was granted, after acquire_granted.lua has not: it is not there any more.
--
-- ARGV[1]  id
-- ARGV[3]  heartbeat timeout, in milliseconds
-- ARGV[4]  ttl, in milliseconds
--
-- Returns  <slots taken>, <expiry in ms>, <held for ms>  held
--          0                                             not granted, or not any more; nothing was changed
-- Errors   none of its own

return 0
