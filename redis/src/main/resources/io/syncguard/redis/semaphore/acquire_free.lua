-- Takes a slot of a name that nobody uses: there is nothing to settle. A part of acquire.lua, which says what ARGV are.

local id, heartbeat, ttl = ARGV[3], ARGV[5] / 1000, ARGV[6] / 1000
local life = math.max(ARGV[5], ARGV[6]) + 10000
local expires = now + ttl

if call('EXISTS', mainKey, waitingKey) == 0 then
  call('SET', maxKey, ARGV[4], 'PX', life)
  call('ZADD', mainKey, now + math.min(heartbeat, ttl), id)
  call('PEXPIRE', mainKey, life)
  call('ZADD', ttlKey, expires, id)
  call('PEXPIRE', ttlKey, life)
  -- A number is sooner made, sent and read than a list, and this is the case that has to be fast.
  return math.floor(expires * 1000)
end
