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
  (SELECT coalesce(string_agg(DISTINCT needed.name, ', '), '')
    FROM (VALUES ('{locks}', 'SELECT INSERT UPDATE DELETE'), ('{fences}', 'SELECT INSERT UPDATE'),
      ('{queues}', 'SELECT INSERT UPDATE DELETE'), ('{waiters}', 'SELECT INSERT UPDATE DELETE'),
      ('{processes}', 'SELECT INSERT UPDATE DELETE'), ('{semaphores}', 'SELECT INSERT UPDATE DELETE'),
      ('{permits}', 'SELECT INSERT UPDATE DELETE'), ('{secrets}', 'SELECT INSERT UPDATE DELETE'),
      ('{payloads}', 'SELECT INSERT UPDATE DELETE'), ('{counters}', 'SELECT INSERT UPDATE DELETE'),
      ('{limiters}', 'SELECT INSERT UPDATE DELETE')) needed (name, privileges)
    CROSS JOIN LATERAL string_to_table(needed.privileges, ' ') privilege
    WHERE NOT has_table_privilege(to_regclass(needed.name), privilege)) AS refused
