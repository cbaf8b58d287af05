import { queryPostgres } from './databases.js';

/** Locks rows of `zones` in another session until released. */
export function holdZones(url: string, ids: readonly string[]): () => void {
  queryPostgres(url, 'BEGIN');
  queryPostgres(url, 'SELECT 1 FROM zones WHERE id = ANY($1) FOR UPDATE', [ids]);
  return () => void queryPostgres(url, 'ROLLBACK');
}

const LOCK = 4242;

interface Slowed {
  readonly isUnderWay: () => boolean;
  readonly goOn: () => void;
}

/** Blocks writers of records with names that begin with `slow.` until released. */
export function slowWriting(url: string): Slowed {
  return slowed(url, "BEFORE INSERT ON records FOR EACH ROW WHEN (NEW.name LIKE 'slow.%')");
}

/** Blocks claims of a webhook queue until released. */
export function slowClaiming(url: string): Slowed {
  return slowed(
    url,
    'BEFORE UPDATE OF claim ON webhook_queues FOR EACH ROW WHEN (OLD.claim IS NULL AND NEW.claim IS NOT NULL)',
  );
}

/** @param when as CREATE TRIGGER has it */
function slowed(url: string, when: string): Slowed {
  const held = `EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK} AND granted)`;
  queryPostgres(
    url,
    'CREATE OR REPLACE FUNCTION slow_writing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN' +
      ` WHILE ${held} LOOP PERFORM pg_sleep(0.02); END LOOP; RETURN NEW; END $$`,
  );
  queryPostgres(url, `CREATE OR REPLACE TRIGGER slow_writing ${when} EXECUTE FUNCTION slow_writing()`);
  queryPostgres(url, `SELECT pg_advisory_lock(${LOCK})`);
  const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
  return {
    isUnderWay: () => queryPostgres(url, waiting).length > 0,
    goOn: () => void queryPostgres(url, 'SELECT pg_advisory_unlock_all()'),
  };
}
