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
local owner, expires, lock
if held and head and sub(held, 1, #head) == head and string.byte(held, #head + 16) == 34 then
  -- The record begins as this holder wrote it; if its rest matches to the last byte there is nothing to parse.
  local digits = string.match(held, '^%d+","acquiredAtMs":%d+,"expiresAtMs":(%d+)}$', #head + 1)
  if digits and #digits < 16 then
    owner, expires = lockId, tonumber(digits)
  end
end
if held and not expires then
  local parsed
  parsed, lock = pcall(cjson.decode, held)
  -- cjson takes a NUL for the end of the text, and accepts NaN, for which every comparison is false.
  if not parsed or string.find(held, '\0', 1, true) or type(lock) ~= 'table' or type(lock.lockId) ~= 'string'
      or #lock.lockId ~= 22 or string.find(lock.lockId, '[^%w_-]')
      or type(lock.expiresAtMs) ~= 'number' or not (math.abs(lock.expiresAtMs) < 2 ^ 53)
      or type(lock.fence) ~= 'string' or #lock.fence ~= 15 or not string.find(lock.fence, '^%d+$') then
    return {err = 'CORRUPT lock record'}
  end
  owner, expires = lock.lockId, lock.expiresAtMs
end

-- Ownership before expiry: a late extend must not be told of the next holder's expiry.
if owner ~= lockId then
  -- The record is gone or another's, so an index entry of ours that still leads here is stale.
  if call('GET', indexKey) == lockKey then
    call('DEL', indexKey)
  end
  return held and 0 or -1
end

-- Fractions of a millisecond stay in: %d drops them, and no comparison with whole milliseconds depends on them.
local time = call('TIME')
local now = time[1] * 1000 + time[2] / 1000
if expires <= now - 1000 then
  return -2
end

-- Only the number is replaced, in the text: encoding the record anew would turn [] into {} and round long integers in
-- fields that we do not know.
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
    lock.expiresAtMs = tonumber(newExpires)
    extended = cjson.encode(lock)
  end
end
call('SET', lockKey, extended, 'PX', ARGV[2])
call('SET', indexKey, lockKey, 'PX', ARGV[2])
return tonumber(newExpires)
