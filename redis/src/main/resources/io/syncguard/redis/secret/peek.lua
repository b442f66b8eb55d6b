-- Tells what is left of a secret. Only reads.
--
-- KEYS[1]  secret     prefix:id:secret:id
--
-- Returns  <views left>, <when it expires, in ms>; nothing if there is no such secret
-- Errors   CORRUPT    it is not what a client writes

-- include part/read.lua

if not there or expired then
  return false
end
return secret
