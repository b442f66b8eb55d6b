-- Counts one, unless the window has had its most. Without a window this begins one.
--
-- KEYS[1]  counter    prefix:id:count:key
-- ARGV[1]  max        how many are allowed in a window
-- ARGV[2]  window     in ms, for a counter that has no end yet
--
-- Returns  <count, or 0 if the limit was reached>, <when the window ends, in ms>
-- Errors   CORRUPT    it is not what a client writes

-- include part/read.lua

local limited = count >= tonumber(ARGV[1])
local endless = not reset
local ends = string.format('%.0f', reset or now + ARGV[2])
if not limited then
  count = count + 1
end
local counted = string.format('%.0f', count)
if not limited or endless then
  redis.call('SET', KEYS[1], counted .. ':' .. ends, 'PXAT', ends)
end
return {limited and '0' or counted, ends}
