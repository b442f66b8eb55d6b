-- Notes that permits are alive; setup.sql says how.
--
-- :name
-- :ids        a JSON array
-- :timeout_ms how long they count as alive from now on
--
-- Returns states, a letter for each id: W waiting, G granted, H held, - not known

SELECT states FROM {ping_permits}(:name, :ids, :timeout_ms)
