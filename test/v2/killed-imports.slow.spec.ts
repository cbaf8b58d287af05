import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { freshName } from '../support/domain.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { killAll, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

const COUNT = 6000;
const LINES = Array.from({ length: COUNT }, (_, at) => `host-${at} A 192.0.2.1\n`).join('');
/** From the answer to the kill, in milliseconds. A restart on PostgreSQL waits for signs of life first. */
const MOMENTS = ON_POSTGRES ? [150] : [0, 150, 500];

let directory: string;
let env: Record<string, string>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  env = environmentOf(directory);
});
afterEach(() => removeTestData(directory));

it('13.5 an import whose process is killed has made all of its zone or nothing, and says which', async () => {
  for (const moment of MOMENTS) {
    const name = freshName();
    const first = await startServiceProcess(directory, env);
    const send = clientsOf(first.url).as('x').call('post', '/v2/zones/tasks/imports').set('Content-Type', 'text/dns');
    const file = `$ORIGIN ${name}\n@ 3600 IN SOA ns1.example.net. hostmaster 1 3600 600 86400 300\n${LINES}`;
    const { id } = await bodyOf<{ id: string }>(send.send(file), 202);
    await delay(moment);
    killAll(first);
    await first.ended;

    const second = await startServiceProcess(directory, env);
    const show = () => clientsOf(second.url).as('x').call('get', `/v2/zones/tasks/imports/${id}`);
    await until(async () => (await bodyOf<{ status: string }>(show())).status !== 'PENDING', 20_000);
    await until(
      () => lookInto(databaseFileIn(directory), ({ rows }) => rows('SELECT * FROM incoming_zones').length) === 0,
    );
    const { status, zone_id: zoneId } = await bodyOf<{ status: string; zone_id: string | null }>(show());
    killAll(second);
    await second.ended;
    const zones = lookInto(databaseFileIn(directory), ({ rows }) =>
      rows<{ id: string; record_count: number }>('SELECT id, record_count FROM zones WHERE name = ?', name),
    );
    expect({ status, zones }).toEqual(
      status === 'COMPLETE' ? { status, zones: [{ id: zoneId, record_count: COUNT }] } : { status: 'ERROR', zones: [] },
    );
  }
  audit(databaseFileIn(directory));
});
