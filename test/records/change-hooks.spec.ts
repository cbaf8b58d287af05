import { Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Column, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner, Table } from 'typeorm';
import {
  type ChangeHook,
  definePlugin,
  operatorFor,
  readRecordContent,
  RecordsService,
  RecordTypes,
  ServiceError,
  STANDARD_TYPES,
  Statement,
  type Transaction,
} from '../../src/index.js';
import { RecordChanges } from '../../src/records/changes/record-changes.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';

const TYPES = new RecordTypes(STANDARD_TYPES);

@Entity('tickets_opened')
class TicketEntity {
  @PrimaryColumn('varchar', { length: 64 })
  name!: string;

  @Column('varchar', { length: 64 })
  outcome!: string;
}

class CreateTickets1764000000000 implements MigrationInterface {
  name = 'CreateTickets1764000000000';

  up(runner: QueryRunner): Promise<void> {
    const columns = ['name', 'outcome'].map((name) => ({
      name,
      type: 'varchar',
      length: '64',
      isPrimary: name === 'name',
    }));
    return runner.createTable(new Table({ name: 'tickets_opened', columns }));
  }

  down(runner: QueryRunner): Promise<void> {
    return runner.dropTable('tickets_opened');
  }
}

const COUNT = new Statement<{ count: number }>('SELECT COUNT(*) AS count FROM tickets_opened');
const INSERT = new Statement('INSERT INTO tickets_opened (name, outcome) VALUES (?, ?)');

/** Stores the outcome of each change within the change. */
class Tickets {
  constructor(
    readonly records: RecordsService,
    readonly changes: RecordChanges,
  ) {}

  /** @param admit decides by the zone serial and the earlier number of tickets */
  hook<Result>(name: string, admit: (serial: number, count: number) => void = () => undefined) {
    let count = NaN;
    const hook: ChangeHook<Result> = {
      load: async (tx: Transaction) => {
        count = Number((await COUNT.first(tx, []))?.count);
      },
      admit: ({ serial }) => admit(serial, count),
      write: (tx, outcome) => INSERT.run(tx, [name, 'error' in outcome ? codeOf(outcome.error) : 'done']),
    };
    return hook;
  }
}

let tickets: Tickets;

@Module({
  providers: [
    {
      provide: Tickets,
      inject: [RecordsService, RecordChanges],
      useFactory: (records: RecordsService, changes: RecordChanges) => (tickets = new Tickets(records, changes)),
    },
  ],
})
class TicketsModule {}

const PLUGIN = definePlugin({
  name: 'tickets',
  zonewright: '*',
  schema: () => ({ entities: [TicketEntity], migrations: [CreateTickets1764000000000] }),
  core: () => ({ modules: [TicketsModule] }),
});

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({}, undefined, [PLUGIN]);
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

const contentAt = (label: string) =>
  readRecordContent(TYPES, { name: zone.at(label), type: 'A', data: '192.0.2.3', priority: null, ttl: null });

function create(label: string, hook: ChangeHook<object> = tickets.hook(zone.at(label))): Promise<string> {
  const created = tickets.records.create(zone.id, contentAt(label), operatorFor('tenant-a'), hook);
  return created.then(() => 'done', codeOf);
}

function codeOf(error: unknown): string {
  return error instanceof ServiceError ? error.code : String(error);
}

/** Tickets of the zone under their labels. */
function written(): Record<string, string> {
  const rows = lookInto(service.databaseFile, (stored) =>
    stored.rows<TicketEntity>('SELECT name, outcome FROM tickets_opened WHERE name LIKE ?', `%.${zone.name}`),
  );
  return Object.fromEntries(rows.map(({ name, outcome }) => [name.replace(`.${zone.name}`, ''), outcome]));
}

async function labels(): Promise<string[]> {
  return (await zone.records()).map(({ name }) => name.replace(`.${zone.name}`, '')).sort();
}

describe('a plugin hook within a change', () => {
  it('is stored with it', async () => {
    expect(await create('www')).toBe('done');
    expect([await labels(), written()]).toEqual([['www'], { www: 'done' }]);
  });

  it('is stored also where the change is refused, by the rules or because the zone is not there', async () => {
    await create('www');
    expect(await create('www', tickets.hook(zone.at('again')))).toBe('duplicate_record');
    const elsewhere = { ...operatorFor('tenant-b'), allTenants: false };
    const hidden = tickets.records.create(zone.id, contentAt('other'), elsewhere, tickets.hook(zone.at('other')));
    await expect(hidden).rejects.toMatchObject({ code: 'zone_not_found' });
    expect([await labels(), written()]).toEqual([
      ['www'],
      { www: 'done', again: 'duplicate_record', other: 'zone_not_found' },
    ]);
  });

  it('refuses the change by data it has read, and the refusal data is stored', async () => {
    const [{ serial }, known] = [await zone.now(), Object.keys(written()).length];
    const asked: number[][] = [];
    const refusing = tickets.hook(zone.at('www'), (...facts) => {
      asked.push(facts);
      throw new ServiceError('over_quota', 'There are too many tickets.');
    });
    expect(await create('www', refusing)).toBe('over_quota');
    expect(asked).toEqual([[serial, expect.any(Number)]]);
    expect(asked[0]![1]).toBeGreaterThanOrEqual(known);
    expect([await labels(), written()]).toEqual([[], { www: 'over_quota' }]);
  });

  it('sees the zone after earlier changes, including those of its own group', async () => {
    const { serial } = await zone.now();
    const onlyIn = (label: string) =>
      tickets.hook(zone.at(label), (found) => {
        if (found !== serial) throw new ServiceError('precondition_failed', 'Somebody was faster.');
      });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const outcomes = await Promise.all(names.map((label) => create(label, onlyIn(label))));
    expect(outcomes.sort()).toEqual(['done', ...names.slice(1).map(() => 'precondition_failed')]);
    expect(await labels()).toHaveLength(1);
    expect(Object.values(written()).sort()).toEqual(outcomes);
  });

  it('is stored where the change is only tried', async () => {
    const operations = [{ action: 'create', content: contentAt('www') }] as const;
    const hook = tickets.hook(zone.at('www'));
    await tickets.changes.apply(zone.id, operatorFor('tenant-a'), operations, { isDryRun: true, hook });
    expect([await labels(), written()]).toEqual([[], { www: 'done' }]);
  });

  it('fails only its own change on error', async () => {
    await create('www');
    const taken = tickets.hook<object>(zone.at('www'));
    const outcomes = await Promise.all([create('a'), create('b', taken), create('c')]);
    expect([outcomes[0], outcomes[2]]).toEqual(['done', 'done']);
    expect(outcomes[1]).toMatch(/UNIQUE|duplicate key|duplicate_/);
    expect([await labels(), written()]).toEqual([['a', 'c', 'www'], { www: 'done', a: 'done', c: 'done' }]);
  });
});
