-- Takes a slot of a name that nobody uses: there is nothing to settle. A part of acquire.lua, which says what ARGV are.

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
