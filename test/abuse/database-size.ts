import { stat } from 'node:fs/promises';
import { isPostgresUrl, lookInto } from '../support/stored.js';

const MIB = 2 ** 20;

/** Disk size of a database in MiB. Includes the SQLite log, excludes the PostgreSQL WAL. */
export async function sizeOfDatabase(database: string): Promise<number> {
  if (isPostgresUrl(database)) {
    const sizes = lookInto(database, ({ rows }) =>
      rows<{ size: number }>('SELECT pg_database_size(current_database()) AS size'),
    );
    return (sizes[0]?.size ?? 0) / MIB;
  }
  const files = await Promise.all([database, `${database}-wal`].map((file) => stat(file)));
  return files.reduce((sum, { size }) => sum + size, 0) / MIB;
}
