-- Counts the next fence. Ends the script, or the function that it is in, with an error if that is not possible. Needs clock.lua,
-- fenceKey, and whether fences must survive the loss of the counter (survives).

local counter = call('GET', fenceKey)
local last = tonumber(counter or 0)
if not last or not (last >= 0 and last < 900000000000000) then
  return {err = string.find(counter, '^%d+$') and 'FENCEOVERFLOW fence counter has reached 900000000000000'
    or 'CORRUPT fence counter'}
end

local fence = last + 1
if survives then
  if counter and string.find(counter, '%D') then
    return {err = 'CORRUPT fence counter'}
  end
  fence = math.max(fence, math.floor(now))
  call('SET', fenceKey, string.format('%d', fence))
else
  local counted = redis.pcall('INCR', fenceKey)
  if counted ~= fence then
    -- INCR is stricter than tonumber: it refuses, and leaves as they are, 0x1F, 1e3, 1.0, 007 and the like. With a sound
    -- counter it is the server that refuses to write (READONLY, OOM, ...), and the caller is told that.
    local sound = not counter or counter == '0' or string.find(counter, '^[1-9]%d*$')
    return sound and counted or {err = 'CORRUPT fence counter'}
  end
end
