-- Changes the limit of a name in use, and wakes up as many as it makes room for.
--
-- KEYS     part/names.lua says which
-- ARGV[1]  the new limit
--
-- Returns  1      changed
--          0      there are no holders and no waiters
--          again  it is not done: there is more to settle than a step does
-- Errors   only those of Redis

-- include part/names.lua
-- include part/names_of_waiters.lua
-- include part/clock.lua
-- include part/outlive.lua
-- include part/forget_the_dead.lua
-- include part/wake_up_nexts.lua

forgetTheDead()
if more then
  return 'again'
end
if call('EXISTS', mainKey) == 0 and call('EXISTS', waitingKey) == 0 then
  return 0
end
call('SET', maxKey, ARGV[1], 'KEEPTTL')
outlive(maxKey, math.max(call('PTTL', mainKey), call('PTTL', waitingKey), 10000))
limit = tonumber(ARGV[1])
wakeUpNexts(call('ZCARD', mainKey))
outlive(mainKey, leaseMs + 10000)
return more and 'again' or 1
