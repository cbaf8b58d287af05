import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PortionedDelete } from '../../src/database/statements/portioned-delete.js';
import { answerOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { seedRecords } from '../support/seed.js';
import { startTestService, type TestService } from '../support/service.js';

const SOURCE = resolve(import.meta.dirname, '../../src');
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
const textOf = (file: string): string => readFileSync(join(SOURCE, file), 'utf8');

// All declarations run when their files load.
for (const file of FILES) if (textOf(file).includes('new PortionedDelete(')) await import(join(SOURCE, file));

const ROWS = 10_000;
/** Rows that are there when the statistics are gathered, and stay. */
const OTHERS = 500;
const FAR_OFF = 1_000_000;
/** In milliseconds. A full scan for each row takes minutes. */
const LONGEST = 5000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const query = <Row>(sql: string, values: readonly unknown[] = []): Row[] =>
  queryPostgres(service.databaseFile, sql, values) as Row[];

/** From here on the planner statistics of the table stay fixed. */
function freezeStatistics(table: string): void {
  query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  query(`ANALYZE ${table}`);
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: 'YES' | 'NO';
  readonly preset: string | null;
}

const isText = ({ type }: Column): boolean => /char|text/.test(type);

function columnsOf(table: string): Column[] {
  return query<Column>(
    'SELECT column_name AS name, data_type AS type, is_nullable AS "isNullable", column_default AS preset' +
      " FROM information_schema.columns WHERE table_name = $1 AND table_schema = 'public'",
    [table],
  );
}

/** Columns of a condition with `=`, with a condition for small numbers, or with `>`, which all numbers meet. */
type Compared = ReadonlyMap<string, string>;

/** Rows from numbers, which meet the condition on the compared columns or do not. */
function fill(table: string, compared: Compared, rows: number, meetIt: boolean): void {
  const columns = columnsOf(table).filter(
    ({ name, isNullable, preset }) => compared.has(name) || (isNullable === 'NO' && preset === null),
  );
  const valueOf = (column: Column): string => {
    const isFixed = compared.get(column.name) === '=';
    if (!isText(column)) return (isFixed ? '1' : 'i') + (meetIt ? '' : ` + ${FAR_OFF}`);
    if (isFixed) return meetIt ? "'doomed'" : "'kept'";
    return meetIt ? "'v' || i" : "'k' || i";
  };
  const names = columns.map(({ name }) => name).join(', ');
  query(`INSERT INTO ${table} (${names}) SELECT ${columns.map(valueOf).join(', ')} FROM generate_series(1, ${rows}) i`);
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: PlanNode; readonly 'Execution Time': number }];
}

describe('18.2 a chunk is searched once with any statistics:', () => {
  it.each(PortionedDelete.all.map(({ sql }) => [sql.postgres] as const))('%s', (text) => {
    const [, table = '', condition = ''] = /^DELETE FROM (\w+) .* WHERE (.*)\)\) RETURNING/.exec(text) ?? [];
    const compared = new Map(
      [...condition.matchAll(/(\w+) (=|<=?|>) \?/g)].map(
        ([, column = '', operator = '']) => [column, operator] as const,
      ),
    );
    const texts = new Set(columnsOf(table).flatMap((column) => (isText(column) ? [column.name] : [])));
    fill(table, compared, OTHERS, false);
    freezeStatistics(table);
    fill(table, compared, ROWS, true);
    try {
      let at = 0;
      const numbered = text.replaceAll('?', () => `$${(at += 1)}`);
      const wanted = [...compared].map(([column, operator]) => {
        if (operator !== '=') return operator === '>' ? 0 : FAR_OFF;
        return texts.has(column) ? 'doomed' : 1;
      });
      const values = [...wanted, ROWS / 2];
      const [explained] = query<Explained>(`EXPLAIN (ANALYZE, FORMAT JSON) ${numbered}`, values);
      const [{ Plan: plan, 'Execution Time': time }] = explained!['QUERY PLAN'];
      const limits = nodesOf(plan).filter((node) => node['Node Type'] === 'Limit');
      expect(limits.map((node) => node['Actual Loops'])).toEqual([1]);
      expect(time).toBeLessThan(LONGEST);
      expect(query(`SELECT COUNT(*) AS left FROM ${table}`)).toEqual([{ left: OTHERS + ROWS / 2 }]);
    } finally {
      query(`TRUNCATE ${table}`);
    }
  });

  it('and chunks have no other way of deletion', () => {
    const deletesPortions = (file: string): boolean =>
      /DELETE FROM[^;'`]*\bLIMIT\b/.test(textOf(file).replace(/['`]\s*\+\s*['`]/g, ''));
    expect(FILES.filter(deletesPortions)).toEqual([]);
  });
});

it('18.2 a domain that has come since the statistics were gathered is deleted in good time', async () => {
  seedRecords(service.databaseFile, (await newDomain(service)).id, OTHERS);
  for (const table of ['records', 'record_sets', 'journal']) freezeStatistics(table);
  const domain = await newDomain(service);
  seedRecords(service.databaseFile, domain.id, 2 * ROWS);
  const start = performance.now();
  await answerOf(service.call('delete', `/v1/domains/${domain.id}`));
  expect(performance.now() - start).toBeLessThan(LONGEST);
});
