-- Names whose slot it is and for how long. The script says what ARGV are. Needs clock.lua.

local id, heartbeat, ttl = ARGV[1], ARGV[2] / 1000, ARGV[3] / 1000
local life = math.max(ARGV[2], ARGV[3]) + 10000
local aliveUntil, expires = now + math.min(heartbeat, ttl), now + ttl
