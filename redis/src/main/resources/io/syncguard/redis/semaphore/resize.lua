-- Changes the limit of a name in use, and wakes up as many as it makes room for.
-- After names.lua, outlive.lua, wake_up_nexts.lua and settle.lua.
--
-- ARGV[3]  the new limit
--
-- Returns  1  changed
--          0  nobody holds a slot or waits
-- Errors   none of its own

forgetTheDead()
if call('EXISTS', mainKey) == 0 and call('EXISTS', waitingKey) == 0 then
  return 0
end
call('SET', maxKey, ARGV[3], 'KEEPTTL')
outlive(maxKey, math.max(call('PTTL', mainKey), call('PTTL', waitingKey), 10000))
settle()
return 1
