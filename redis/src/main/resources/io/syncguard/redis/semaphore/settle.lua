-- Settles a name: forgets the dead, and wakes up the next. A part of other scripts, after outlive.lua, forget_the_dead.lua and
-- wake_up_nexts.lua.

forgetTheDead()
local taken = wakeUpNexts(call('ZCARD', mainKey))
outlive(mainKey, leaseMs + 10000)
