-- Has Redis forget who listens to lists that nothing will be pushed to any more: it forgets only what changes.
--
-- KEYS[1]  a list, ns:acquisition_notification:id; all keys after that are lists as well
--
-- Returns  how many there were
-- Errors   none of its own

for _, key in ipairs(KEYS) do
  redis.call('SET', key, '', 'PX', 1000)
  redis.call('DEL', key)
end
return #KEYS
