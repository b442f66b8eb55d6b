-- Changes the limit of a name in use, and wakes up as many as it makes room for.
-- After clock.lua, outlive.lua, forget_the_dead.lua and wake_up_nexts.lua.
--
-- ARGV[1]  the new limit
--
-- Returns  1      changed
--          0      nobody holds a slot or waits
--          again  it is not done: there is more to settle than a step does
-- Errors   none of its own

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
