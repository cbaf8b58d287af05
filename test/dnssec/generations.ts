import type { TestDomain } from '../support/domain.js';
import { lookInto } from '../support/stored.js';

/** Generations with signed sets of the domain in a database, published or not. */
export function generationsOf({ id }: TestDomain, database: string): number[] {
  const sql = 'SELECT DISTINCT generation FROM signed_sets WHERE zone_id = ?';
  return lookInto(database, ({ rows }) =>
    rows<{ generation: number | string }>(sql, id).map(({ generation }) => Number(generation)),
  );
}
