-- Settles a name: forgets the dead, and wakes up the next. Needs forget_the_dead.lua and wake_up_nexts.lua.

forgetTheDead()
local taken = wakeUpNexts(call('ZCARD', mainKey))
outlive(mainKey, leaseMs + 10000)
