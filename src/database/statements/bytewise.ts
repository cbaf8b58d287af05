import type { QueryRunner } from 'typeorm';

/**
 * For columns whose order is that of their octets: ids, keys and what is compared with them. SQLite knows no other
 * order; PostgreSQL has that of the database's language unless it is told.
 */
export const BYTEWISE = { collation: 'C' } as const;

/** The same for a migration's columns: TypeORM hands the collation to SQLite, which has none of that name. */
export function bytewiseOn(runner: QueryRunner): { readonly collation?: string } {
  return runner.dataSource.options.type === 'postgres' ? BYTEWISE : {};
}
