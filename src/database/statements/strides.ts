import { inSearchTurns, type SearchClient } from '../../common/waiting/search-turns.js';
import type { Reads } from '../reads.js';
import type { SqlValue } from '../transaction.js';
import {
  behind,
  type CursorColumns,
  cursorColumns,
  cursorOf,
  hinted,
  inKeyOrder,
  positionOf,
  startOf,
  STRIDE,
  type Walk,
} from './walk.js';

interface Stride {
  readonly rows: number;
  readonly end: readonly SqlValue[];
}

/** Skips rows in long strides, while a stride fits in the rest of `most`. */
export async function* strides(reads: Reads, walk: Walk, most = Infinity): AsyncGenerator<Stride> {
  const statement = hinted<CursorColumns>(`SELECT ${cursorColumns(walk)} ${behind(walk)} LIMIT 1 OFFSET ?`);
  const values = walk.where?.values ?? [];
  let after = startOf(walk);
  for (let left = most; left >= STRIDE; left -= STRIDE) {
    const stride = [...values, ...positionOf(walk.key, after), STRIDE - 1];
    const last = await reads.run((tx) => inKeyOrder(tx, () => statement.first(tx, stride)));
    if (last === undefined) return;
    after = cursorOf(walk, last);
    yield { rows: STRIDE, end: after };
  }
}

/** Counts by the index, while other requests are served. @returns `null` if there are more than `most` */
export async function countWalk(
  reads: Reads,
  walk: Walk,
  searchClient: SearchClient,
  most = Infinity,
): Promise<number | null> {
  let total = 0;
  for await (const rows of inSearchTurns(countedRows(reads, walk), searchClient)) {
    total += rows;
    if (total > most) return null;
  }
  return total;
}

async function* countedRows(reads: Reads, walk: Walk): AsyncGenerator<number> {
  let after = startOf(walk);
  for await (const { rows, end } of strides(reads, walk)) {
    after = end;
    yield rows;
  }
  yield await countRest(reads, walk, after);
}

/** Of less than a stride. */
async function countRest(reads: Reads, walk: Walk, after: readonly SqlValue[]): Promise<number> {
  const rest = hinted<{ readonly rows: number | string }>(
    `SELECT COUNT(*) AS rows FROM (SELECT 1 AS one ${behind(walk)} LIMIT ?) portion`,
  );
  const values = [...(walk.where?.values ?? []), ...positionOf(walk.key, after), STRIDE];
  const row = await reads.run((tx) => inKeyOrder(tx, () => rest.first(tx, values)));
  return Number(row?.rows ?? 0);
}

interface FirstIds {
  readonly ids: readonly string[];
  /** Number of rows of the stride. */
  readonly rows: number;
}

/** Of each stride, the first ids after one. The database sorts them: faster than reading all of them. */
export async function* firstIds(
  reads: Reads,
  walk: Walk,
  id: string,
  {
    after,
    isDescending,
    limit,
  }: { readonly after: string | null; readonly isDescending: boolean; readonly limit: number },
): AsyncGenerator<FirstIds> {
  const isBehind = after === null ? '' : ` WHERE id ${isDescending ? '<' : '>'} ?`;
  const stride = `SELECT ${id} AS id ${behind(walk)} LIMIT ${STRIDE}`;
  const first = hinted<{ readonly id: string }>(
    `SELECT id FROM (${stride}) s${isBehind} ORDER BY id${isDescending ? ' DESC' : ''} LIMIT ?`,
  );
  const idsFrom = async (start: readonly SqlValue[]): Promise<string[]> => {
    const position = [...(walk.where?.values ?? []), ...positionOf(walk.key, start)];
    const values = [...position, ...(after === null ? [] : [after]), limit];
    const rows = await reads.run((tx) => inKeyOrder(tx, () => first.rows(tx, values)));
    return rows.map((row) => row.id);
  };
  let start = startOf(walk);
  for await (const { rows, end } of strides(reads, walk)) {
    yield { ids: await idsFrom(start), rows };
    start = end;
  }
  yield { ids: await idsFrom(start), rows: await countRest(reads, walk, start) };
}
