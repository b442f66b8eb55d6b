-- Tells of the library and of the file.
--
-- Returns version; journal_mode; damage, the first that is found, or ok

SELECT
  sqlite_version() AS version,
  (SELECT journal_mode FROM pragma_journal_mode) AS journal_mode,
  (SELECT quick_check FROM pragma_quick_check LIMIT 1) AS damage
