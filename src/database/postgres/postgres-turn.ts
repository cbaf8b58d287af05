import { Coalescer } from '../../common/waiting/coalescer.js';
import { nameQuery, type NamedQuery, type PostgresClient, postgresClientOf } from './postgres-client.js';
import { Pipeline } from './postgres-pipeline.js';
import type { SqlValue } from '../statements/sql-value.js';
import type { Transaction } from '../transaction.js';

/** A statement for many keys or rows, which may be part of a larger one. */
export interface Part {
  readonly id: number;
  /** A lock is a read that takes the rows: what is read in the same turn is read when they are held. */
  readonly kind: 'read' | 'lock' | 'write';
  readonly sql: PartText;
}

/**
 * @param mark gives the mark of the next parameter, `$1`, `$2`, …: an array for each column of the keys or rows
 * @param isNumbered whether the rows that are read tell the number of their key, from 1 on, as `key`
 */
type PartText = (mark: () => string, isNumbered: boolean) => string;

/** Keys or rows: as many values in each column as there are of them. */
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
 * What a transaction asks for in one turn, before it waits for any of it, makes one round trip to PostgreSQL. Reads all see
 * the same moment; writes happen in no order, so that of two that touch the same row one has to wait for the other. A part
 * that is asked for several times, as by several zones, is one statement for all their keys or rows.
 * @param isNumbered whether the rows are to tell the number of their key, from 1 on, as `key`
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

/** Once nothing can go on any more without an answer: from a microtask, the next tick comes after all others. */
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
      // Reads go along with it.
      if (kind !== 'lock' || pipeline === null) await sent;
    }
  } catch (error) {
    for (const { reject } of turn) reject(error);
  }
}

/** It does not throw: each of them is told. */
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

/** A turn sends one kind at a time. */
function isWrite([first]: readonly Asked[]): boolean {
  return first?.part.kind === 'write';
}

/** One part of a round trip, and all who ask for it. */
interface JointStatement {
  readonly part: Part;
  readonly asked: readonly Asked[];
  readonly isNumbered: boolean;
}

/** In the order of their parts, so that it does not make another text who asks first. */
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

/** Gives everybody the rows of their own keys. */
function handOut({ part, asked }: JointStatement, rows: readonly unknown[]): void {
  if (part.kind === 'write' || asked.length === 1) {
    for (const { resolve } of asked) resolve(rows);
    return;
  }
  // They were asked for with their numbers.
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

/** In milliseconds. */
const PLANS_HOLD = 500;
const DISCARD = 'DISCARD PLANS';
const plannedAt = new WeakMap<PostgresClient, number>();

/**
 * A plan that was made while a table was empty looks as good by any of its indexes as by the right one, and would go through
 * a whole zone once there is one. The server itself notices within a minute.
 */
async function planAnew(client: PostgresClient, pipeline: Pipeline | null): Promise<void> {
  const now = performance.now();
  if (now - (plannedAt.get(client) ?? -Infinity) < PLANS_HOLD) return;
  plannedAt.set(client, now);
  if (pipeline === null) await client.query(DISCARD);
  else pipeline.send(DISCARD);
}

/** Several reads come back in one row, a column of JSON for each; it is null where there was nothing. */
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
  // PostgreSQL carries out every writing query of a WITH, whether it is used or not.
  return `WITH ${texts.map((sql, at) => `p${at} AS (${sql})`).join(', ')} ${last}`;
}
