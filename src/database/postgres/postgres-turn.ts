import { Coalescer } from '../../common/waiting/coalescer.js';
import { nameQuery, type NamedQuery, type PostgresClient, postgresClientOf } from './postgres-client.js';
import { Pipeline } from './postgres-pipeline.js';
import type { SqlValue } from '../transaction.js';
import type { Transaction } from '../transaction.js';

export interface Part {
  readonly id: number;
  /** A lock reads and locks rows; reads of the same turn run after it. */
  readonly kind: 'read' | 'lock' | 'write';
  readonly sql: PartText;
}

/**
 * @param mark returns the next parameter, `$1`, `$2`, …
 * @param isNumbered whether rows tell the number of their key, from 1 on, as `key`
 */
type PartText = (mark: () => string, isNumbered: boolean) => string;

export type ColumnsOfValues = readonly (readonly SqlValue[])[];

let parts = 0;

export function partOf(kind: Part['kind'], sql: PartText): Part {
  parts += 1;
  return { id: parts, kind, sql };
}

interface Asked {
  readonly part: Part;
  readonly columns: ColumnsOfValues;
  readonly isNumbered: boolean;
  readonly resolve: (rows: readonly unknown[]) => void;
  readonly reject: (reason: unknown) => void;
}

const turns = new WeakMap<Transaction, Coalescer<Asked>>();

/**
 * Sends all statements of one turn in one round trip. All reads see one snapshot. Writes have no order. Equal parts,
 * such as those for several zones, become one statement.
 * @param isNumbered whether rows tell the number of their key, from 1 on, as `key`
 */
export function askInTurn(
  tx: Transaction,
  part: Part,
  columns: ColumnsOfValues,
  isNumbered = false,
): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    turnOf(tx).add({ part, columns, isNumbered, resolve, reject });
  });
}

function turnOf(tx: Transaction): Coalescer<Asked> {
  let turn = turns.get(tx);
  if (turn === undefined) {
    turn = new Coalescer<Asked>((asked) => sendAll(tx, asked), { gather: everythingAsked, atOnce: Infinity });
    turns.set(tx, turn);
  }
  return turn;
}

/** Resolves when all other code waits for an answer: the next tick, queued by a microtask, comes last. */
function everythingAsked(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

async function sendAll(tx: Transaction, turn: readonly Asked[]): Promise<void> {
  try {
    const client = await postgresClientOf(tx);
    const pipeline = Pipeline.on(client);
    await planAnew(client, pipeline);
    for (const kind of ['write', 'lock', 'read'] as const) {
      const asked = turn.filter(({ part }) => part.kind === kind);
      if (asked.length === 0) continue;
      const sent = send(client, pipeline, asked);
      // Reads go along with the lock.
      if (kind !== 'lock' || pipeline === null) await sent;
    }
  } catch (error) {
    for (const { reject } of turn) reject(error);
  }
}

/** Does not throw: reports errors to each caller. */
async function send(client: PostgresClient, pipeline: Pipeline | null, asked: readonly Asked[]): Promise<void> {
  try {
    const statements = statementsOf(asked);
    const query = { ...queryOf(statements), values: statements.flatMap(valuesOf) };
    if (pipeline !== null && isWrite(asked)) {
      await pipeline.write(query);
      for (const { resolve } of asked) resolve([]);
      return;
    }
    const { rows } = await (pipeline?.ask(query) ?? client.query(query));
    statements.forEach((one, at) => handOut(one, statements.length === 1 ? rows : rowsOf(rows[0], at)));
  } catch (error) {
    for (const { reject } of asked) reject(error);
  }
}

function isWrite([first]: readonly Asked[]): boolean {
  return first?.part.kind === 'write';
}

interface JointStatement {
  readonly part: Part;
  readonly asked: readonly Asked[];
  readonly isNumbered: boolean;
}

/** In the order of parts, so that the text does not depend on the callers. */
function statementsOf(asked: readonly Asked[]): JointStatement[] {
  const byPart = new Map<Part, Asked[]>();
  for (const one of asked) {
    const others = byPart.get(one.part);
    if (others === undefined) byPart.set(one.part, [one]);
    else others.push(one);
  }
  const statements = [...byPart].map(([part, all]): JointStatement => {
    const isShared = part.kind !== 'write' && all.length > 1;
    return { part, asked: all, isNumbered: isShared || all.some(({ isNumbered }) => isNumbered) };
  });
  return statements.sort((one, other) => one.part.id - other.part.id);
}

function valuesOf({ asked }: JointStatement): ColumnsOfValues {
  const [first, ...others] = asked;
  const columns = first?.columns ?? [];
  if (others.length === 0) return columns;
  return columns.map((column, at) => column.concat(...others.map((one) => one.columns[at] ?? [])));
}

interface NumberedRow {
  key: number;
}

function handOut({ part, asked }: JointStatement, rows: readonly unknown[]): void {
  if (part.kind === 'write' || asked.length === 1) {
    for (const { resolve } of asked) resolve(rows);
    return;
  }
  const numbered = rows as readonly NumberedRow[];
  let before = 0;
  for (const { columns, resolve } of asked) {
    const [from, to] = [before, before + (columns[0]?.length ?? 0)];
    const own = numbered.filter(({ key }) => key > from && key <= to);
    for (const row of own) row.key -= from;
    resolve(own);
    before = to;
  }
}

const PLANS_HOLD = 500;
const DISCARD = 'DISCARD PLANS';
const plannedAt = new WeakMap<PostgresClient, number>();

/** A plan made for an empty table may use a wrong index. The server itself notices only within a minute. */
async function planAnew(client: PostgresClient, pipeline: Pipeline | null): Promise<void> {
  const now = performance.now();
  if (now - (plannedAt.get(client) ?? -Infinity) < PLANS_HOLD) return;
  plannedAt.set(client, now);
  if (pipeline === null) await client.query(DISCARD);
  else pipeline.send(DISCARD);
}

/** Several reads return one row, with a JSON column for each; null without rows. */
function rowsOf(row: unknown, at: number): readonly unknown[] {
  return (row as Readonly<Record<string, readonly unknown[] | null>> | undefined)?.[`p${at}`] ?? [];
}

const queries = new Map<string, NamedQuery>();

function queryOf(statements: readonly JointStatement[]): NamedQuery {
  const key = statements.map(({ part, isNumbered }) => `${part.id}${isNumbered ? 'n' : ''}`).join(' ');
  let query = queries.get(key);
  if (query === undefined) {
    query = nameQuery(joined(statements));
    queries.set(key, query);
  }
  return query;
}

function joined(statements: readonly JointStatement[]): string {
  let parameters = 0;
  const mark = (): string => `$${(parameters += 1)}`;
  const texts = statements.map(({ part, isNumbered }) => part.sql(mark, isNumbered));
  const last = texts.pop() ?? '';
  if (texts.length === 0) return last;
  if (statements[0]?.part.kind !== 'write')
    return `SELECT ${[...texts, last].map((sql, at) => `(SELECT json_agg(r) FROM (${sql}) r) AS p${at}`).join(', ')}`;
  // PostgreSQL runs every writing query of a WITH, used or not.
  return `WITH ${texts.map((sql, at) => `p${at} AS (${sql})`).join(', ')} ${last}`;
}
