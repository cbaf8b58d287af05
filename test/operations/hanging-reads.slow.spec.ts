import { Controller, Get, HttpCode, Module, Param } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { definePlugin, entityManagerOf, Reads, type Transaction } from '../../src/index.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

type Kind = 'run' | 'stream' | 'taken-slowly';

/** More than the connections that a process has for reads, or for streams. */
const READERS = 30;
const ONE = 'SELECT 1 AS one';
const IN_TRANSACTION =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'" +
  ' AND pid <> pg_backend_pid()';

/** The hanging call waits for this, then reads again. */
let goOn: () => void = () => undefined;
let hanging: Promise<void> = Promise.resolve();
/** The outcomes of these reads. */
let later: Promise<unknown>[] = [];

function hang(tx: Transaction): Promise<never> {
  const manager = entityManagerOf(tx);
  later.push(hanging.then(() => manager.query(ONE)));
  return new Promise(() => undefined);
}

async function* readsThenHangs(tx: Transaction): AsyncGenerator {
  yield entityManagerOf(tx).query(ONE);
  await hang(tx);
}

async function* readsThrice(tx: Transaction): AsyncGenerator {
  for (let at = 0; at < 3; at += 1) yield entityManagerOf(tx).query(ONE);
}

@Controller('v1/slow-reads')
class SlowReadsController {
  constructor(private readonly reads: Reads) {}

  @Get(':kind')
  @HttpCode(200)
  async read(@Param('kind') kind: Kind): Promise<object> {
    if (kind === 'run') await this.reads.run((tx) => leavingOpen(tx));
    const taken: unknown[] = [];
    const items = this.reads.stream(kind === 'stream' ? readsThenHangs : readsThrice);
    for await (const item of items) {
      taken.push(item);
      if (kind === 'taken-slowly') await hanging;
    }
    return { taken };
  }

  @Get('in-time/:count')
  @HttpCode(200)
  async readInTime(@Param('count') count: string): Promise<object> {
    let taken = 0;
    for await (const item of this.reads.stream(readsThrice)) {
      taken += item === undefined ? 0 : 1;
      if (taken === Number(count)) break;
    }
    return { taken, rows: await this.reads.run((tx) => entityManagerOf(tx).query(ONE)) };
  }
}

/** Leaves a transaction open that no other request may get. */
async function leavingOpen(tx: Transaction): Promise<never> {
  if (ON_POSTGRES) await entityManagerOf(tx).query('BEGIN');
  return hang(tx);
}

@Module({ controllers: [SlowReadsController] })
class SlowReadsModule {}

const PLUGIN = definePlugin({ name: 'slow', zonewright: '*', api: () => ({ modules: [SlowReadsModule] }) });

/** Working ports query the database, and have time for that on a busy machine. */
const SETTINGS = { PLUGINS__REQUEST_TIME_LIMIT: '1', PLUGINS__BACKGROUND_TIME_LIMIT: '1' };

describe('reads of a plugin', () => {
  let service: TestService;
  beforeEach(async () => {
    later = [];
    hanging = new Promise((resolve) => (goOn = resolve));
    // Each has its own: a plugin that does not answer is not asked for a while.
    service = await startTestService(SETTINGS, undefined, [PLUGIN]);
  });
  afterEach(async () => {
    goOn();
    await service.stop();
  });

  const read = (path: string) => service.as('reader').call('get', `/v1/slow-reads/${path}`);
  const inTransaction = (): number =>
    lookInto(service.databaseFile, (stored) => (stored.isPostgres ? stored.rows(IN_TRANSACTION).length : 0));

  it('16.7 that end in time, or are abandoned early, are answered', async () => {
    expect(await bodyOf(read('in-time/9'))).toEqual({ taken: 3, rows: [{ one: 1 }] });
    expect(await bodyOf(read('in-time/1'))).toEqual({ taken: 1, rows: [{ one: 1 }] });
  });

  for (const kind of ['run', 'stream'] as const) {
    it(`16.7 that never end (${kind}) are refused, and no others`, async () => {
      const refused = Array.from({ length: READERS }, () => refusalOf(read(kind), 503, 'unavailable'));
      for (const { message } of await Promise.all(refused)) expect(message).toContain('slow/Reads');
      const { domains } = await bodyOf<{ domains: unknown[] }>(service.as('other').call('get', '/v1/domains'));
      expect(domains).toEqual([]);
      await until(() => inTransaction() === 0);
      goOn();
      expect(later.length).toBeGreaterThan(0);
      for (const end of await Promise.allSettled(later)) expect(end.status).toBe('rejected');
    });
  }

  it('16.7 that are not read in time are cancelled, and a later reader gets an error', async () => {
    const refused = refusalOf(read('taken-slowly'), 503, 'unavailable');
    const isNamed = async (): Promise<boolean> =>
      'failing_plugins' in (await bodyOf<object>(service.plain('get', '/readyz')));
    await Promise.race([refused, until(isNamed)]);
    expect(await bodyOf(service.plain('get', '/readyz'))).toEqual({ status: 'ok', failing_plugins: ['slow/Reads'] });
    await until(() => inTransaction() === 0);
    goOn();
    expect((await refused).message).toContain('slow/Reads');
  });
});
