import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresBroadcast } from '../../src/database/postgres/postgres-broadcast.js';
import { writerOptionsOf } from '../support/data-source.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { databaseFileIn, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';

const PATIENCE = 10_000;

let directory: string;
let url: string;
let both: PostgresBroadcast[] = [];
let heard: [string[], string[]] = [[], []];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  url = databaseFileIn(directory);
  const options = await writerOptionsOf(url);
  if (options.type !== 'postgres') throw new Error('this is about PostgreSQL');
  both = [new PostgresBroadcast(options), new PostgresBroadcast(options)];
  both.forEach((one, at) => one.listen('zones', (text) => heard[at]!.push(text)));
});
afterAll(async () => {
  await Promise.all(both.map((one) => one.close()));
  await removeTestData(directory);
});

/** Hints can be lost while a connection opens: repeats the first one until it arrives. */
async function untilHeard(text: string): Promise<void> {
  heard = [[], []];
  await until(() => {
    both[0]!.send('other', `other ${text}`);
    both[0]!.send('zones', text);
    return heard[1].includes(text);
  }, PATIENCE);
}

describe('hints between processes on PostgreSQL', () => {
  it('19.4 reach all processes but the sender, by topic, also after broken connections', async () => {
    await untilHeard('first');
    queryPostgres(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%') AND pid <> pg_backend_pid()",
    );
    await untilHeard('second');
    expect(heard[0]).toEqual([]);
    // One of the first may come late.
    expect(heard[1].filter((text) => text.startsWith('other'))).toEqual([]);
  });
});
