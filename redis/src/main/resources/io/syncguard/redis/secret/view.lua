-- Counts a view and reveals the secret; the last view deletes it. The payload is never written again.
--
-- KEYS[1]  secret     prefix:id:secret:id
--
-- Returns  <views left>, <payload>; nothing if there is no such secret
-- Errors   CORRUPT    it is not what a client writes

if not there or expired then
  redis.call('DEL', KEYS[1])
  return false
end
local payload = redis.call('HGET', KEYS[1], 'payload')
if not payload then
  return {err = 'CORRUPT secret'}
end
local left = secret[1] - 1
if left == 0 then
  redis.call('DEL', KEYS[1])
else
  redis.call('HINCRBY', KEYS[1], 'views', -1)
end
return {tostring(left), payload}
