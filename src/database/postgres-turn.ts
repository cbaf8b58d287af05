import { nameQuery, type NamedQuery, type PostgresClient, postgresClientOf } from './postgres-client.js';
import type { Transaction } from './transaction.js';

/** A statement that may be part of a larger one. */
export interface Part {
  readonly id: number;
  readonly kind: 'read' | 'write';
  /** @param mark gives the mark of the next parameter: `$1`, `$2`, … */
  readonly sql: (mark: () => string) => string;
}

let parts = 0;

export function partOf(kind: Part['kind'], sql: Part['sql']): Part {
  parts += 1;
  return { id: parts, kind, sql };
}

interface Asked {
  readonly part: Part;
  readonly values: readonly unknown[];
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (reason: unknown) => void;
}

const turns = new WeakMap<Transaction, Asked[]>();

/**
 * What a transaction asks for in one turn, before it waits for any of it, makes one round trip to PostgreSQL. Reads all see
 * the same moment; writes happen in no order, so that of two that touch the same row one has to wait for the other.
 */
export function askInTurn(tx: Transaction, part: Part, values: readonly unknown[]): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const turn = turns.get(tx);
    if (turn !== undefined) {
      turn.push({ part, values, resolve, reject });
      return;
    }
    const begun: Asked[] = [{ part, values, resolve, reject }];
    turns.set(tx, begun);
    queueMicrotask(() => {
      turns.delete(tx);
      void sendAll(tx, begun);
    });
  });
}

async function sendAll(tx: Transaction, turn: readonly Asked[]): Promise<void> {
  for (const kind of ['write', 'read'] as const) {
    const asked = turn.filter(({ part }) => part.kind === kind);
    if (asked.length > 0) await send(tx, asked);
  }
}

async function send(tx: Transaction, asked: readonly Asked[]): Promise<void> {
  try {
    const client = await postgresClientOf(tx);
    await planAnew(client);
    const query = queryOf(asked.map(({ part }) => part));
    const { rows } = await client.query({ ...query, values: asked.flatMap(({ values }) => values) });
    asked.forEach(({ resolve }, at) => resolve(asked.length === 1 ? rows : rowsOf(rows[0], at)));
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

/** In milliseconds. */
const PLANS_HOLD = 500;
const plannedAt = new WeakMap<PostgresClient, number>();

/**
 * A plan that was made while a table was empty looks as good by any of its indexes as by the right one, and would go through
 * a whole zone once there is one. The server itself notices within a minute.
 */
async function planAnew(client: PostgresClient): Promise<void> {
  const now = performance.now();
  if (now - (plannedAt.get(client) ?? -Infinity) < PLANS_HOLD) return;
  plannedAt.set(client, now);
  await client.query('DISCARD PLANS');
}

/** Several reads come back in one row, a column of JSON for each; it is null where there was nothing. */
function rowsOf(row: unknown, at: number): readonly unknown[] {
  return (row as Readonly<Record<string, readonly unknown[] | null>> | undefined)?.[`p${at}`] ?? [];
}

const queries = new Map<string, NamedQuery>();

function queryOf(asked: readonly Part[]): NamedQuery {
  const key = asked.map(({ id }) => id).join(' ');
  let query = queries.get(key);
  if (query === undefined) {
    query = nameQuery(joined(asked));
    queries.set(key, query);
  }
  return query;
}

function joined(asked: readonly Part[]): string {
  let parameters = 0;
  const mark = (): string => `$${(parameters += 1)}`;
  const texts = asked.map(({ sql }) => sql(mark));
  const last = texts.pop() ?? '';
  if (texts.length === 0) return last;
  if (asked[0]?.kind === 'read')
    return `SELECT ${[...texts, last].map((sql, at) => `(SELECT json_agg(r) FROM (${sql}) r) AS p${at}`).join(', ')}`;
  // PostgreSQL carries out every writing query of a WITH, whether it is used or not.
  return `WITH ${texts.map((sql, at) => `p${at} AS (${sql})`).join(', ')} ${last}`;
}
