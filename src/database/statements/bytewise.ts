import type { QueryRunner } from 'typeorm';

/**
 * For columns in octet order: IDs, keys and columns compared with them. SQLite has no other order; PostgreSQL's default
 * is the order of the database's language.
 */
export const BYTEWISE = { collation: 'C' } as const;

/** `BYTEWISE` for the columns of a migration: TypeORM passes the collation to SQLite, which does not know that name. */
export function bytewiseOn(runner: QueryRunner): { readonly collation?: string } {
  return runner.dataSource.options.type === 'postgres' ? BYTEWISE : {};
}
