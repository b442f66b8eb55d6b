-- Lets a lock that is still this holder's end at now + ttlMs.
--
-- KEYS[1]  index key   prefix:id:lockId, ends with the 22-character lockId
-- KEYS[2]  lock key    prefix:key; left out when only the lockId is known, then the index names it
-- ARGV[1]  ttlMs
-- ARGV[2]  ttlMs + 5000, the physical life of both keys
-- ARGV[3]  the record up to its fence, as acquire was given it; left out when the key is not known
--
-- Returns  the new expiresAtMs, or
--          0 another holds it   -1 not found   -2 it was this holder's, but has expired
-- Errors   CORRUPT   the record is not what a client writes; nothing was changed

local call, sub = redis.call, string.sub
local indexKey = KEYS[1]
local lockKey = KEYS[2] or call('GET', indexKey)
if not lockKey then
  return -1
end

local lockId, head = sub(indexKey, -22), ARGV[3]
local held = call('GET', lockKey)
-- include part/own_record.lua
local owner, expires, decoded
if digits then
  owner, expires = lockId, tonumber(digits)
elseif held then
  -- include part/record.lua
  owner, expires, decoded = lock.lockId, lock.expiresAtMs, lock
end

-- Ownership before expiry: a late extend must not be told of the next holder's expiry.
if owner ~= lockId then
  -- The record is gone or another's, so this holder's index key is stale if it still leads here.
  if call('GET', indexKey) == lockKey then
    call('DEL', indexKey)
  end
  return held and 0 or -1
end

-- include part/clock.lua
if expires <= now - 1000 then
  return -2
end

-- Only the number is replaced, in the text: encoding the record anew would turn [] into {} and round long integers in
-- unknown fields.
local newExpires = string.format('%d', now + ARGV[1])
local extended
if string.find(held, '^,"expiresAtMs":%d+}$', -29) then
  -- In valid JSON such an end can only be the last field of the outermost object, and of two alike the last one counts.
  extended = sub(held, 1, -15) .. newExpires .. '}'
else
  -- In valid JSON a quote that follows {, a comma or a space and precedes a letter can only open a string, so nothing
  -- inside a string matches; that the one match is not in a nested object is proven by decoding the result.
  local matches
  extended, matches = string.gsub(held, '([{,%s]"expiresAtMs"%s*:%s*)[%w.+-]+', '%1' .. newExpires)
  if matches ~= 1 or cjson.decode(extended).expiresAtMs ~= tonumber(newExpires) then
    decoded.expiresAtMs = tonumber(newExpires)
    extended = cjson.encode(decoded)
  end
end
call('SET', lockKey, extended, 'PX', ARGV[2])
call('SET', indexKey, lockKey, 'PX', ARGV[2])
return tonumber(newExpires)
