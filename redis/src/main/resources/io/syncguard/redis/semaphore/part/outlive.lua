-- Defines outlive and outliveSlot, which let keys live long enough. Needs names.lua.

-- A physical expiry only ever grows, so that no client ends another's slot. It grows by a minute more than it must, so that it need
-- not grow with every step.
local function outlive(key, milliseconds)
  if call('PTTL', key) < milliseconds then
    call('PEXPIRE', key, milliseconds + 60000)
  end
end

-- For the holder of a slot. A key that was empty in between is a new one, without an expiry. The key of the
-- limit is at least as old, so the two others tell.
local function outliveSlot(milliseconds)
  if call('PTTL', mainKey) < milliseconds or call('PTTL', ttlKey) < milliseconds then
    outlive(mainKey, milliseconds)
    outlive(ttlKey, milliseconds)
    outlive(maxKey, milliseconds)
  end
end
