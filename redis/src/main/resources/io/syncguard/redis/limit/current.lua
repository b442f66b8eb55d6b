-- Tells how far a counter has come. Only reads.
--
-- KEYS[1]  counter    prefix:id:count:key
--
-- Returns  <count>, <when the window ends, in ms, empty if never>; nothing if no window is under way
-- Errors   CORRUPT    it is not what a client writes

-- include part/read.lua

if count == 0 then
  return false
end
return {string.format('%.0f', count), reset and string.format('%.0f', reset) or ''}
