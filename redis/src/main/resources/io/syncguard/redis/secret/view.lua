-- Counts a view and reveals the secret; the last view deletes it. The payload is never written again.
-- A view that does not present the proof changes nothing.
--
-- KEYS[1]  secret     prefix:id:secret:id
-- ARGV[1]  proof      the hash of what the viewer derived from its key; empty if it has none
--
-- Returns  <views left>, <payload>; 'refused' alone if the proof is not the secret's; nothing if there is no such secret
-- Errors   CORRUPT    it is not what a client writes

-- include part/read.lua

if not there or expired then
  redis.call('DEL', KEYS[1])
  return false
end
local proof, payload = unpack(redis.call('HMGET', KEYS[1], 'proof', 'payload'))
if not proof or not payload then
  return {err = 'CORRUPT secret'}
end
if proof ~= ARGV[1] then
  return {'refused'}
end
local left = secret[1] - 1
if left == 0 then
  redis.call('DEL', KEYS[1])
else
  redis.call('HINCRBY', KEYS[1], 'views', -1)
end
return {tostring(left), payload}
