-- Takes a slot of a name that nobody uses: there is nothing to settle. A part of acquire.lua, which says what ARGV are.

if call('EXISTS', mainKey, waitingKey) == 0 then
  call('SET', maxKey, ARGV[2], 'PX', ARGV[4])
  call('ZADD', mainKey, aliveUntil, id)
  call('PEXPIRE', mainKey, ARGV[4])
  call('ZADD', ttlKey, expires, id)
  call('PEXPIRE', ttlKey, ARGV[4])
  -- A number is sooner made, sent and read than a list, and this is the case that has to be fast.
  return math.floor(expires * 1000)
end
