import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PortionedDelete } from '../../src/database/statements/portioned-delete.js';
import { startTestService, type TestService } from '../support/service.js';
import { Database } from '../support/sqlite.js';

const SOURCE = resolve(import.meta.dirname, '../../src');
const FILES = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

// All declarations run when their files load.
for (const file of FILES) {
  const path = join(SOURCE, file);
  if (
    readFileSync(path, 'utf8').includes('new PortionedDelete(') ||
    readFileSync(path, 'utf8').includes('new PortionedDelete<')
  )
    await import(path);
}

interface PlanStep {
  readonly detail: string;
}

let service: TestService;
let database: InstanceType<typeof Database>;
beforeAll(async () => {
  service = await startTestService();
  database = new Database(service.databaseFile);
});
afterAll(async () => {
  database.close();
  await service.stop();
});

/** Uniform statistics of all indexes for SQLite: the row count, and the rows for each value of a column. */
const STATISTICS = [
  ['few rows, all of them alike', '3 3 3 3 3'],
  ['few rows, each with values of its own', '3 1 1 1 1'],
  ['many rows, all of them alike', '1000000 1000000 1000000 1000000 1000000'],
  ['many rows, each with values of its own', '1000000 1 1 1 1'],
] as const;

describe.each(STATISTICS)('18.2 portions are found by an index, with statistics of %s', (_, figures) => {
  beforeAll(() => {
    database.exec('ANALYZE; DELETE FROM sqlite_stat1');
    database
      .prepare(
        "INSERT INTO sqlite_stat1 (tbl, idx, stat) SELECT tbl_name, name, ? FROM sqlite_schema WHERE type = 'index'",
      )
      .run(figures);
    database.exec('ANALYZE sqlite_schema');
  });

  it.each(PortionedDelete.all.map(({ sql }) => [sql.sqlite] as const))('%s', (sql) => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(
      ...sql
        .split('?')
        .slice(1)
        .map(() => 1),
    );
    const plan = (steps as PlanStep[]).map(({ detail }) => detail).join('\n');
    // ANY: an index whose first column has no condition.
    expect(plan).not.toMatch(/^SCAN|ANY\(|TEMP B-TREE FOR ORDER BY/m);
  });
});
