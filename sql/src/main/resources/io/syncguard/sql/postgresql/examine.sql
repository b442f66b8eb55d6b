-- Tells of the server and its settings, and of this user's rights.
--
-- Returns version, version_number; recovering, whether this is a replica; replicas, how many this one has; fsync,
-- synchronous_commit and synchronous_standby_names, its settings; refused, the tables that this user may not use

SELECT
  current_setting('server_version') AS version,
  current_setting('server_version_num')::int AS version_number,
  pg_is_in_recovery() AS recovering,
  (SELECT count(*) FROM pg_stat_replication) AS replicas,
  current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('synchronous_standby_names') AS synchronous_standby_names,
  (SELECT coalesce(string_agg(ours.name, ', '), '')
    FROM (VALUES ('{locks}'), ('{fences}'), ('{waiters}'), ('{semaphores}'), ('{permits}'), ('{secrets}'),
      ('{payloads}'), ('{counters}'), ('{limiters}')) ours (name)
    WHERE NOT (
      SELECT coalesce(bool_and(has_table_privilege(to_regclass(ours.name), needed.privilege)), true)
      FROM (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) needed (privilege))) AS refused
