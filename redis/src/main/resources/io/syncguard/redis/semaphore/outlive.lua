-- Lets keys live long enough. A part of other scripts, after names.lua; it defines what they use.

-- A physical expiry only ever grows, so that no client ends another's slot; by a minute more than it must, so that it need not
-- grow with every step.
local function outlive(key, milliseconds)
  if call('PTTL', key) < milliseconds then
    call('PEXPIRE', key, milliseconds + 60000)
  end
end

-- For whoever holds a slot. A key that was empty in between is a new one, without an expiry. What else belongs to it is at least
-- as old.
local function outliveSlot(milliseconds)
  if call('PTTL', mainKey) < milliseconds or call('PTTL', ttlKey) < milliseconds then
    outlive(mainKey, milliseconds)
    outlive(ttlKey, milliseconds)
    outlive(maxKey, milliseconds)
  end
end
