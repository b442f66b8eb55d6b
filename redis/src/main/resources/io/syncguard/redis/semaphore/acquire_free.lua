-- Takes a slot of a name that nobody uses: there is nothing to settle. A part of acquire.lua, which says what ARGV are.

local id, heartbeat, ttl = ARGV[2], ARGV[4] / 1000, ARGV[5] / 1000
local life = math.max(ARGV[4], ARGV[5]) + 10000
local aliveUntil, expires = now + math.min(heartbeat, ttl), now + ttl

if call('EXISTS', mainKey, waitingKey) == 0 then
  local deletedAt = string.format('%.0f', now * 1000 + life)
  call('SET', maxKey, ARGV[3], 'PXAT', deletedAt)
  call('ZADD', mainKey, aliveUntil, id)
  call('PEXPIREAT', mainKey, deletedAt)
  call('ZADD', ttlKey, expires, id)
  call('PEXPIREAT', ttlKey, deletedAt)
  -- A number is sooner made, sent and read than a list, and this is the case that has to be fast.
  return math.floor(expires * 1000)
end
