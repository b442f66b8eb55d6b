-- Gives up a slot, confirmed or not, or a place in the queue; the next in the queue has the slot already by then.
--
-- :name, :leaving, :now_ms  see settle.sql; the permit is what leaves
--
-- Returns was: waiting, granted or held; no row if it is not known

{settle};

DELETE FROM syncguard_permits WHERE id = :leaving AND +name = :name RETURNING state AS was
