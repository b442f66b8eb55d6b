-- Decides the usual cases, in which there is nothing to settle: a slot is free and nobody waits, or there is none. A part of
-- acquire.lua, after acquire_granted.lua.

local limit, waits = call('GET', maxKey), not ARGV[5]
local slot, joins
if limit == ARGV[2] and not alive then
  -- From the next second on: whoever counts is alive, and a bound without a fraction is read sooner.
  local living = call('ZCOUNT', mainKey, time[1] + 1, '+inf')
  if living >= limit + 0 then
    joins = waits
  elseif living == call('ZCARD', mainKey) and call('EXISTS', waitingKey) == 0 then
    slot = living + 1
  end
end
