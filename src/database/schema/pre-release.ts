import type { MigrationSession } from './migration-session.js';

const BASELINE = { name: 'Baseline1764200000000', timestamp: 1_764_200_000_000 };
/** Migrations before 1.0.0, which led to the same schema. */
const PRE_RELEASE = { count: 54, last: 'ExpandSoaTtl1764120000000' };
const LAST_PRE_RELEASE_COMMIT = '8c4dedc3';

/** A migration name ends with its time. */
export function isPreRelease(name: string): boolean {
  return Number(/\d{13}$/.exec(name)?.[0]) < BASELINE.timestamp;
}

export function hasBaselineSchema(run: readonly string[]): boolean {
  return run.length === PRE_RELEASE.count && run.includes(PRE_RELEASE.last);
}

export function preReleaseRefusal(run: readonly string[]): string {
  return (
    `the schema is older than the last pre-release one (${run.length} of ${PRE_RELEASE.count} migrations):` +
    ` run "zonewright migrate" of commit ${LAST_PRE_RELEASE_COMMIT} first`
  );
}

/** The tables stay unchanged. */
export async function adoptBaseline(session: MigrationSession): Promise<void> {
  const { name, timestamp } = BASELINE;
  const connection = session.runner ?? session.dataSource;
  await session.transaction(async () => {
    await connection.query(`DELETE FROM migrations WHERE "timestamp" < ${timestamp}`);
    // Another process may have been first.
    await connection.query(
      `INSERT INTO migrations ("timestamp", name) SELECT ${timestamp}, '${name}'` +
        ` WHERE NOT EXISTS (SELECT 1 FROM migrations WHERE name = '${name}')`,
    );
  });
}
