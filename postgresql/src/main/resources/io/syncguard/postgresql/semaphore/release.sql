-- Gives up a slot, confirmed or not, or a place in the queue; setup.sql says how.
--
-- :name
-- :id
--
-- Returns was: waiting, granted or held; no row if it is not known

SELECT was FROM {release_permit}(:name, :id) WHERE was IS NOT NULL
