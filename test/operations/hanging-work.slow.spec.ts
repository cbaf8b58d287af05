import { Body, Controller, HttpCode, Module, Param, Post } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Column,
  Entity,
  type EntityManager,
  type MigrationInterface,
  PrimaryColumn,
  type QueryRunner,
  Table,
} from 'typeorm';
import {
  type Caller,
  type ChangeHook,
  CurrentCaller,
  definePlugin,
  entityManagerOf,
  type NewZone,
  readRecordContent,
  RecordsService,
  RecordTypes,
  STANDARD_TYPES,
  Statement,
  type Transaction,
  UnitOfWork,
  zoneFileOf,
  ZoneImportService,
  ZonesService,
} from '../../src/index.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';

const TYPES = new RecordTypes(STANDARD_TYPES);
const MAX_SIZE = 1_000_000;

@Entity('slow_notes')
class NoteEntity {
  @PrimaryColumn('varchar', { length: 64 })
  text!: string;

  @Column('varchar', { length: 64 })
  tenant!: string;
}

class CreateNotes1764000000000 implements MigrationInterface {
  name = 'CreateNotes1764000000000';

  up(runner: QueryRunner): Promise<void> {
    const columns = ['text', 'tenant'].map((name) => ({
      name,
      type: 'varchar',
      length: '64',
      isPrimary: name === 'text',
    }));
    return runner.createTable(new Table({ name: 'slow_notes', columns }));
  }

  down(runner: QueryRunner): Promise<void> {
    return runner.dropTable('slow_notes');
  }
}

const INSERT = new Statement('INSERT INTO slow_notes (text, tenant) VALUES (?, ?)');

type Step = 'load' | 'write' | 'never';
type Kind = 'records' | 'domains' | 'imports' | 'work' | 'long-work';

/** The hanging work waits for this, then writes again in each possible way. */
let goOn: () => void = () => undefined;
let hanging: Promise<void> = Promise.resolve();
/** The outcomes of these writes. */
let later: Promise<readonly PromiseSettledResult<unknown>[]>[] = [];
/** How often work that hangs was begun. */
let begun = 0;

function hang(tx: Transaction, tenant: string): Promise<never> {
  begun += 1;
  const manager = entityManagerOf(tx);
  later.push(hanging.then(() => Promise.allSettled(waysToWrite(tx, manager, tenant))));
  return new Promise(() => undefined);
}

function waysToWrite(tx: Transaction, manager: EntityManager, tenant: string): Promise<unknown>[] {
  return [
    (async () => INSERT.run(tx, ['by a statement', tenant]))(),
    (async () => manager.insert(NoteEntity, { text: 'by the manager', tenant }))(),
    (async () => manager.query("INSERT INTO slow_notes (text, tenant) VALUES ('by a query', 'x')"))(),
  ];
}

/** Notes the tenant within the change and hangs at one step. */
function hookOf<Result>(step: string, tenant: string): ChangeHook<Result> {
  const hangAt = (at: Step, tx: Transaction): Promise<void> => (at === step ? hang(tx, tenant) : Promise.resolve());
  return {
    load: (tx) => hangAt('load', tx),
    write: async (tx, outcome) => {
      if ('value' in outcome) await INSERT.run(tx, [`beside ${tenant}`, tenant]);
      await hangAt('write', tx);
    },
  };
}

interface RecordBody {
  readonly name: string;
}

@Controller('v1/slow/:step')
class SlowController {
  constructor(
    private readonly records: RecordsService,
    private readonly zones: ZonesService,
    private readonly imports: ZoneImportService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @Post('records/:zone')
  @HttpCode(200)
  async record(
    @Param('step') step: string,
    @Param('zone') zone: string,
    @Body() { name }: RecordBody,
    @CurrentCaller() caller: Caller,
  ): Promise<object> {
    const content = readRecordContent(TYPES, { name, type: 'A', data: '192.0.2.1', priority: null, ttl: null });
    await this.records.create(zone, content, caller, hookOf(step, caller.tenantId));
    return {};
  }

  @Post('domains/:zone')
  @HttpCode(200)
  async domain(
    @Param('step') step: string,
    @Body() { name }: RecordBody,
    @CurrentCaller() caller: Caller,
  ): Promise<object> {
    const body: NewZone = { name, email: 'hostmaster@example.org' };
    await this.zones.create(body, caller, { hook: hookOf(step, caller.tenantId) });
    return {};
  }

  @Post('imports/:zone')
  @HttpCode(200)
  async import(
    @Param('step') step: string,
    @Param('zone') zone: string,
    @Body() { name }: RecordBody,
    @CurrentCaller() caller: Caller,
  ): Promise<object> {
    const file = zoneFileOf(Buffer.from(`${name} 300 IN A 192.0.2.1\n`), MAX_SIZE);
    const request = { mode: 'merge', dryRun: false, incomplete: false } as const;
    await this.imports.import(zone, caller, file, request, hookOf(step, caller.tenantId));
    return {};
  }

  @Post('work/:zone')
  @HttpCode(200)
  work(@Param('step') step: string, @CurrentCaller() caller: Caller): Promise<object> {
    return this.write(step, caller, false);
  }

  @Post('long-work/:zone')
  @HttpCode(200)
  longWork(@Param('step') step: string, @CurrentCaller() caller: Caller): Promise<object> {
    return this.write(step, caller, true);
  }

  private write(step: string, { tenantId }: Caller, isLong: boolean): Promise<object> {
    const work = async (tx: Transaction): Promise<object> => {
      if (step === 'load') await hang(tx, tenantId);
      await INSERT.run(tx, [`beside ${tenantId}`, tenantId]);
      if (step === 'write') await hang(tx, tenantId);
      return {};
    };
    return this.unitOfWork.run(work, { tenantId, isLong });
  }
}

@Module({ controllers: [SlowController] })
class SlowModule {}

const PLUGIN = definePlugin({
  name: 'slow',
  zonewright: '*',
  schema: () => ({ entities: [NoteEntity], migrations: [CreateNotes1764000000000] }),
  api: () => ({ modules: [SlowModule] }),
});

/** Working hooks query the database, and have time for that on a busy machine. */
const SETTINGS = { PLUGINS__CHANGE_TIME_LIMIT_MS: '500', PLUGINS__REQUEST_TIME_LIMIT: '1' };
const PORTS: Readonly<Record<Kind, string>> = {
  records: 'ChangeHook',
  domains: 'ChangeHook',
  imports: 'ChangeHook',
  work: 'UnitOfWork',
  'long-work': 'UnitOfWork',
};

describe('work of a plugin inside a change', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(SETTINGS, undefined, [PLUGIN]);
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    [begun, later] = [0, []];
    hanging = new Promise((resolve) => (goOn = resolve));
  });
  afterEach(() => goOn());

  const zoneOf = async (tenantId: string): Promise<string> => {
    const body = { name: `${tenantId}.example.org.`, email: 'hostmaster@example.org' };
    return (await bodyOf<{ id: string }>(service.as(tenantId).call('post', '/v1/domains', body))).id;
  };
  const create = (tenantId: string, zoneId: string, at: number) => {
    const body = { name: `r${at}.${tenantId}.example.org.`, type: 'A', data: '192.0.2.2' };
    return service.as(tenantId).call('post', `/v1/domains/${zoneId}/records`, body);
  };
  const begin = (kind: Kind, step: Step, tenantId: string, zoneId: string) => {
    const name = kind === 'domains' ? `${tenantId}.example.net.` : `www.${tenantId}.example.org.`;
    return service.as(tenantId).call('post', `/v1/slow/${step}/${kind}/${zoneId}`, { name });
  };
  const notes = (): string[] =>
    lookInto(service.databaseFile, (stored) =>
      stored.rows<{ text: string }>('SELECT text FROM slow_notes').map(({ text }) => text),
    );

  for (const kind of ['records', 'domains', 'imports', 'work', 'long-work'] as const) {
    for (const step of ['load', 'write'] as const) {
      it(`16.7 that never ends at ${step} (${kind}) refuses its own change only`, async () => {
        const [hangs, other] = [`hanging-${kind}-${step}`, `other-${kind}-${step}`];
        const [mine, others, before] = [await zoneOf(hangs), await zoneOf(other), notes()];
        const refused = refusalOf(begin(kind, step, hangs, mine), 503, 'unavailable');
        await Promise.all(Array.from({ length: 8 }, (_, at) => bodyOf(create(other, others, at))));
        const { message } = await refused;
        expect(message).toContain(`slow/${PORTS[kind]}`);
        expect(begun).toBe(1);
        await bodyOf(begin(kind, 'never', other, others));
        goOn();
        const ends = (await Promise.all(later)).flat().map(({ status }) => status);
        expect(ends).toEqual(['rejected', 'rejected', 'rejected']);
        expect(notes().filter((text) => !before.includes(text))).toEqual([`beside ${other}`]);
        const { domains } = await bodyOf<{ domains: { id: string }[] }>(service.as(hangs).call('get', '/v1/domains'));
        expect(domains.map(({ id }) => id)).toEqual([mine]);
        const { records } = await bodyOf<{ records: unknown[] }>(
          service.as(hangs).call('get', `/v1/domains/${mine}/records`),
        );
        expect(records).toEqual([]);
      });
    }
  }

  it('16.7 is named in /readyz and the metrics', async () => {
    const zoneId = await zoneOf('named');
    await refusalOf(begin('records', 'write', 'named', zoneId), 503, 'unavailable');
    await refusalOf(begin('work', 'write', 'named', zoneId), 503, 'unavailable');
    expect(await bodyOf(service.plain('get', '/readyz'))).toEqual({
      status: 'ok',
      failing_plugins: ['slow/ChangeHook', 'slow/UnitOfWork'],
    });
    const { text } = await service.call('get', '/metrics').expect(200);
    for (const port of ['ChangeHook', 'UnitOfWork'])
      expect(text).toMatch(
        new RegExp(String.raw`^zonewright_plugin_calls_overdue_total\{plugin="slow",port="${port}"\} [1-9]`, 'm'),
      );
  });
});
