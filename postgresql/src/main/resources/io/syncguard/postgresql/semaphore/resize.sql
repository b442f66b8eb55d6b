-- Changes the limit of a name in use; setup.sql says how.
--
-- :name
-- :limit
--
-- Returns one row; none if the name is not in use

SELECT resized FROM {resize_semaphore}(:name, :limit) WHERE resized
