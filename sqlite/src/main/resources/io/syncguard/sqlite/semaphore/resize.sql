-- Changes the limit of a name in use, and grants what that makes free.
--
-- :name, :leaving (empty), :now_ms  see settle.sql
-- :limit
--
-- Returns one row; none if the name is not in use

{settle};

UPDATE syncguard_semaphores SET slots = :limit WHERE name = :name;

{settle};

SELECT slots FROM syncguard_semaphores WHERE name = :name
