import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { bodyOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Index conditions; comparing zone rows with them must not replace the index. */
const OF_KEYS = /\b(?:id|owner_key|type|fingerprint)\b/;

/** The texts of all that is sent to PostgreSQL while some work goes on. */
async function sentDuring(work: () => Promise<unknown>): Promise<string[]> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    // It is called with a text, or with a query that has one.
    const texts = query.mock.calls.map(([sent]) => (sent as unknown as { readonly text?: string }).text ?? '');
    return [...new Set(texts.filter((text) => /\b(?:records|record_sets)\b/.test(text)))];
  } finally {
    query.mockRestore();
  }
}

/** The generic plan, for all parameter values. */
function planOf(text: string): PlanNode {
  const ask = (sql: string): unknown[] => queryPostgres(service.databaseFile, sql);
  const values = new Set(text.match(/\$\d+/g)).size;
  ask('SET plan_cache_mode = force_generic_plan');
  ask('SET enable_seqscan = off');
  ask(`PREPARE one AS ${text}`);
  try {
    const nulls = Array.from({ length: values }, () => 'NULL').join(', ');
    const [row] = ask(`EXPLAIN (FORMAT JSON) EXECUTE one(${nulls})`) as { 'QUERY PLAN': [{ Plan: PlanNode }] }[];
    return row!['QUERY PLAN'][0].Plan;
  } finally {
    ask('DEALLOCATE one');
  }
}

function* nodesOf(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const inner of node.Plans ?? []) yield* nodesOf(inner);
}

it('records and sets are found by the index of their whole key while PostgreSQL knows nothing of their tables', async () => {
  const domain = await newDomain(service);
  const create = (at: number) => domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' });
  for (let at = 0; at < 40; at += 1) await create(at);
  const texts = await sentDuring(async () => {
    const { id } = await bodyOf(create(40));
    const path = `/v1/domains/${domain.id}/records/${id}`;
    await bodyOf(service.call('get', path));
    await bodyOf(service.call('put', path, { data: '192.0.2.2' }));
    const changes = [{ action: 'replace', name: domain.at('h1'), type: 'A', records: [{ data: '192.0.2.3' }] }];
    await bodyOf(service.call('post', `/v1/domains/${domain.id}/changes`, { changes }));
    await service.call('delete', path);
  });
  expect(texts.length).toBeGreaterThan(5);
  const filters = texts.flatMap((text) =>
    [...nodesOf(planOf(text))].flatMap(({ Filter, 'Relation Name': table }) =>
      table?.startsWith('record') === true && OF_KEYS.test(Filter ?? '') ? [`${String(Filter)}: ${text}`] : [],
    ),
  );
  expect(filters).toEqual([]);
});
