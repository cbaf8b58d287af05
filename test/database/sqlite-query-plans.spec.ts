import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { Scheduler } from '../../src/background/scheduler.js';
import { ZoneRegenerationService } from '../../src/zones/zone-regeneration.service.js';
import { answerOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { seedRecords } from '../support/seed.js';
import { SERVER, WITH_POWERDNS } from '../support/powerdns.js';
import { type Plans, watchStatements } from '../support/sent-statements.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

/** More than one window of a filter without an index. */
const COUNT = 6000;

let service: TestService;
let client: Client;
let token: string;
let zone: TestDomain;
let spare: DomainBody;
let seeded: string[];
/** The only record of its set with an explicit ttl. */
let inSet: string;
let plansDuring: ReturnType<typeof watchStatements>;

/** With tokens: whose a request is, is looked up too. */
beforeAll(async () => {
  service = await startTestService({
    ...WITH_POWERDNS,
    SERVICE_API__AUTH_STRATEGY: 'token',
    SERVICE_API__ENABLE_API_ADMIN: 'True',
    SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas,audit',
    DEFAULT__QUOTA_API_EXPORT_SIZE: String(2 * COUNT),
  });
  token = service.running.firstToken!;
  client = { call: (method, path, body) => service.call(method, path, body).set('X-Auth-Token', token) };
  zone = await newDomain(client);
  seeded = seedRecords(service.databaseFile, zone.id, COUNT);
  spare = await newDomain(client);
  inSet = (await zone.newRecord({ name: zone.at('h90'), data: '198.51.100.1', ttl: 60 })).id;
  plansDuring = watchStatements();
});
afterAll(() => service.stop());

const ONE = 'SEARCH records USING PRIMARY KEY (zone_id=? AND id=?)';
const OF_DOMAIN = 'SEARCH records USING COVERING INDEX records_fingerprint (zone_id=?)';
const NEXT = 'SEARCH records USING PRIMARY KEY (zone_id=? AND id>?)';
const WINDOW = 'SEARCH records USING PRIMARY KEY (zone_id=? AND id>? AND id<?)';
const AT_NAME = 'SEARCH records USING INDEX records_fingerprint (zone_id=? AND owner_key=?)';
const IN_SET = 'SEARCH records USING INDEX records_fingerprint (zone_id=? AND owner_key=? AND type=?)';
const EXACT = 'SEARCH records USING INDEX records_fingerprint (zone_id=? AND owner_key=? AND type=? AND fingerprint=?)';
const IN_ORDER = 'SEARCH records USING INDEX records_fingerprint (zone_id=? AND (owner_key,type,fingerprint)>(?,?,?))';

const replacement = (label: string): object => ({
  action: 'replace',
  name: zone.at(label),
  type: 'A',
  records: [{ data: '198.51.100.2' }],
});

const change = (changes: readonly object[]): Test => client.call('post', `/v1/domains/${zone.id}/changes`, { changes });

/** Objects that one statement looks up. */
const MANY = 30;
const many = (entryAt: (at: number) => object): object[] => Array.from({ length: MANY }, (_, at) => entryAt(at));

/** Each request and how it finds the records that it needs. */
const REQUESTS: readonly (readonly [string, () => Test, ...string[]])[] = [
  ['create', () => zone.create({ name: zone.at('new'), type: 'A', data: '192.0.2.1' }), EXACT],
  ['get', () => zone.get(seeded[0]!), ONE],
  ['update', () => zone.update(seeded[1]!, { data: '192.0.2.2' }), ONE, EXACT],
  ['rename', () => zone.update(seeded[2]!, { name: zone.at('renamed') }), ONE, EXACT],
  ['delete', () => zone.delete(seeded[3]!), ONE],
  ['delete from a set', () => zone.delete(inSet), ONE, IN_SET],
  ['replace a set', () => change([replacement('h91')]), ONE, IN_SET],
  [
    'create many',
    () =>
      change(many((at) => ({ action: 'create', record: { name: zone.at(`m${at}`), type: 'A', data: '192.0.2.1' } }))),
    EXACT,
  ],
  ['replace many sets', () => change(many((at) => replacement(`h${100 + at}`))), ONE, IN_SET],
  ['delete many', () => change(many((at) => ({ action: 'delete', id: seeded[200 + at]! }))), ONE],
  ['list, first page', () => zone.list('?limit=20'), WINDOW],
  ['list, deep page', () => zone.list(`?limit=20&marker=${seeded[COUNT - 100]!}`), ONE, WINDOW],
  ['list, behind a deleted record', () => zone.list(`?limit=20&marker=${seeded[3]!}`), ONE, WINDOW],
  ['list, whole', () => zone.list(), WINDOW],
  ['list by name', () => zone.list(`?limit=20&name=${zone.at('h77')}`), AT_NAME],
  ['list by name and type', () => zone.list(`?limit=20&name=${zone.at('h77')}&type=A`), IN_SET],
  ['list by type', () => zone.list('?limit=20&type=TXT'), NEXT],
  ['list by data', () => zone.list('?limit=20&data=192.0.2.99'), NEXT],
  ['list record sets by data', () => client.call('get', `/v2/zones/${zone.id}/recordsets?data=*x*`)],
  ['export', () => zone.fetchFile(), IN_SET, IN_ORDER],
  ['merging import', () => zone.sendFile('h77 60 IN A 192.0.2.1\n'), EXACT],
  ['get quotas', () => client.call('get', '/admin/quotas/tenant-a')],
  ['list domains', () => client.call('get', '/v1/domains?limit=20')],
  ['list domains, deep page', () => client.call('get', `/v1/domains?limit=20&marker=${zone.id}`)],
  ['list all domains', () => client.call('get', '/v1/domains?limit=20').set('X-Auth-All-Projects', 'true')],
  ['list domains for clients of PowerDNS', () => service.plain('get', `${SERVER}/zones`).set('X-API-Key', token)],
  ['list changes of all domains', () => client.call('get', '/v1/changes')],
  ['get domain', () => client.call('get', `/v1/domains/${zone.id}`)],
  ['create domain', () => client.call('post', '/v1/domains', { name: freshName(), email: zone.email })],
  ['delete domain', () => client.call('delete', `/v1/domains/${spare.id}`), ONE, OF_DOMAIN],
];

describe(`with ${String(COUNT)} records in a domain`, () => {
  it.each(REQUESTS)('%s is served by indexes', async (_, request, ...findings) => {
    const plans = await plansDuring(service.databaseFile, () => answerOf(request()));
    expect(unserved(plans)).toEqual({});
    expect(stepsOn('records', plans)).toEqual(new Set(findings));
  });

  it('recognizes a full table scan', async () => {
    const look = (): Promise<unknown> => service.running.application.database.writer.query('SELECT name FROM records');
    expect(unserved(await plansDuring(service.databaseFile, look))).toEqual({
      'SELECT name FROM records': ['SCAN records'],
    });
  });
});

it('12.2 a start with the same configuration looks at two ends of an index, not at each domain', async () => {
  const plans = await plansDuring(service.databaseFile, () => service.running.get(ZoneRegenerationService).run());
  expect(stepsOn('zones', plans)).toEqual(new Set(['SCAN zones USING COVERING INDEX zones_by_generation']));
});

describe('a list is read', () => {
  const BY_TENANT = 'SEARCH zones USING COVERING INDEX zones_of_tenant';
  const OF_ZONE = `/v1/domains/ZONE/records`;

  /** It reads zones too. */
  beforeAll(() => service.running.get(Scheduler).runNow('zones.search'));

  it.each([
    // The bound of a portion is where the one before it ended: the text itself is that of the first one.
    [
      '1.12 of zones whose names begin with a text, at those alone',
      '/v2/zones?name=first*',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_prefix (tenant_id=? AND <expr>>? AND <expr><?)',
    ],
    [
      '1.12 of zones with a ttl, at those alone',
      '/v2/zones?ttl=86400',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_ttl (tenant_id=? AND ttl=? AND id>?)',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_ttl (tenant_id=? AND ttl=?)',
    ],
    [
      '1.12 of zones with an email, at those alone',
      '/v2/zones?email=nobody@example.org',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_email (tenant_id=? AND <expr>=? AND id>?)',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_email (tenant_id=? AND <expr>=?)',
    ],
    [
      '1.12 of zones by ttl, from the end of an index on',
      '/v2/zones?sort_key=ttl&sort_dir=desc',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_ttl (tenant_id=?)',
    ],
    ['1.12 of the latest zones, from the end of an index on', '/v2/zones?sort_dir=desc', `${BY_TENANT} (tenant_id=?)`],
    [
      '1.12 of zones by name, from the end of an index on',
      '/v2/zones?sort_key=name&sort_dir=desc',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_name (tenant_id=?)',
    ],
    [
      '1.12 of zones by update, from the end of an index on',
      '/v2/zones?sort_key=updated_at&sort_dir=desc',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_update (tenant_id=?)',
    ],
    [
      '1.12 of zones by update, from a marker on',
      '/v2/zones?sort_key=updated_at&marker=ZONE',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_update (tenant_id=? AND <expr>=? AND id>?)',
      'SEARCH zones USING COVERING INDEX zones_of_tenant_by_update (tenant_id=? AND <expr>>?)',
    ],
    ['7.6 in the order of creation', '/v1/domains?sort=created', `${BY_TENANT} (tenant_id=? AND id>?)`],
    ['7.6 of the latest domains, backwards', '/v1/domains?sort=-created', `${BY_TENANT} (tenant_id=? AND id<?)`],
    [
      '7.6 by name, backwards',
      '/v1/domains?sort=-name',
      'SEARCH zones USING INDEX zones_of_tenant_by_key (tenant_id=? AND name_key<?)',
    ],
    [
      '6.7 of the latest records, backwards',
      `${OF_ZONE}?sort=-created`,
      'SEARCH records USING PRIMARY KEY (zone_id=? AND id<?)',
    ],
    [
      '6.7 of records by name, backwards',
      `${OF_ZONE}?sort=-name`,
      'SEARCH records USING COVERING INDEX records_fingerprint (zone_id=? AND (owner_key,type,fingerprint)<(?,?,?))',
    ],
  ])('%s', async (_, path, ...findings) => {
    const list = () => answerOf(client.call('get', path.replace('ZONE', zone.id)));
    const plans = await plansDuring(service.databaseFile, list);
    const walks = Object.entries(plans).filter(([sql]) => /\bORDER BY\b/.test(sql));
    expect(
      new Set(walks.flatMap(([, steps]) => steps.filter((step) => /^SEARCH (zones|records) /.test(step)))),
    ).toEqual(new Set(findings));
    // Strides in another order are sorted.
    const sorted = walks.filter(([, steps]) => steps.includes('USE TEMP B-TREE FOR ORDER BY')).map(([sql]) => sql);
    expect(sorted.filter((sql) => !sql.startsWith('SELECT id FROM ('))).toEqual([]);
  });
});

const BETWEEN_PLACES = /^SEARCH [ja] USING .*>\(\?,\?,\?\) AND \(.*<\(\?,\?,\?\)\)$/;

/** Other sorts are of one chunk, whose rows come from two tables. */
it.each([
  ['the first page', ''],
  ['a deep page', '?marker=1763627400123456.019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4.4'],
  ['a search', '?tenant_id=acme&since=2026-01-01T00:00:00Z'],
  ['a search in a domain', '?domain=example.org.'],
])('14.6 %s of the audit is read in its order', async (_, query) => {
  const plans = await plansDuring(service.databaseFile, () => answerOf(client.call('get', `/admin/audit${query}`)));
  const steps = [...stepsOn('j', plans), ...stepsOn('a', plans)];
  expect(steps.length).toBeGreaterThan(1);
  for (const step of steps) expect(step).toMatch(BETWEEN_PLACES);
});

const SERVED = [
  // A row for each process of the service, whose heartbeat may fall into any request.
  /^SCAN service_statuses$/,
  /^SEARCH \w+ USING (COVERING INDEX|INDEX|PRIMARY KEY) /,
  // Without a table: `SELECT total_changes()`, and inserted rows.
  /^SCAN (CONSTANT ROW|20-ROW VALUES CLAUSE)$/,
  // Keys that are looked for.
  /^SCAN json_each VIRTUAL TABLE /,
  // Their own steps follow.
  /^((CORRELATED )?SCALAR|LIST) SUBQUERY \d+$/,
  // A row for each change that is written ahead.
  /^(SCAN staged|CREATE BLOOM FILTER)$/,
  // A page that is put together into one text: no table, but the rows that the next step finds.
  /^(CO-ROUTINE|SCAN) (r|given)$/,
];
/** At one name, or in one set of it, stand no more than a DNS message holds: sorting them beats a further index. */
const FEW = [AT_NAME, IN_SET];

/** The statements with a step that no index serves. */
function unserved(plans: Plans): Plans {
  const faults = Object.entries(plans).map(([sql, steps]) => {
    const sortsFew = FEW.includes(steps[0] ?? '');
    const isServed = (step: string): boolean =>
      SERVED.some((form) => form.test(step)) || (sortsFew && step === 'USE TEMP B-TREE FOR ORDER BY');
    return [sql, steps.filter((step) => !isServed(step))] as const;
  });
  return Object.fromEntries(faults.filter(([, steps]) => steps.length > 0));
}

/** How rows of a table are found. */
function stepsOn(table: string, plans: Plans): Set<string> {
  const steps = Object.values(plans).flat();
  return new Set(steps.filter((step) => step.split(' ')[1] === table));
}
