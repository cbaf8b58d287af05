/** SQL for the timeline that a primary writes. */
export const WRITTEN_TIMELINE = "('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int";

/**
 * SQL for the latest timeline that a standby is known to be on. What is received at the moment is shown to roles with
 * `pg_read_all_stats`; others learn of it with the next restart point.
 */
export const FOLLOWED_TIMELINE =
  'GREATEST((SELECT timeline_id FROM pg_control_checkpoint()), (SELECT received_tli FROM pg_stat_wal_receiver))';
