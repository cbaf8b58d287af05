import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { writeRecordSet } from '../../src/dns/master-file/master-file-writer.js';
import { MetaType } from '../../src/dns/message/codes.js';
import { DomainName } from '../../src/dns/name.js';
import { genericType, type RecordType, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { seedFrom } from '../crash/random.js';
import { newDomain } from '../support/domain.js';
import { query } from '../support/messages.js';
import { DOCUMENTED_KEY, DOCUMENTED_SECRET, type NameServerName } from '../support/name-servers/name-servers.js';
import { itWith, missingPackages } from '../support/run-program.js';
import { transfer } from '../support/transfers.js';
import { OPAQUE_CODES, typeSamples } from '../support/type-samples.js';
import { Pool } from './pool.js';
import { linesOfRecords } from './read-copy.js';
import { FOUR_SERVERS, NAMES } from './software.js';

const KEY = {
  name: DomainName.parse(`${DOCUMENTED_KEY}.`),
  algorithm: 'hmac-sha256',
  secret: Buffer.from(DOCUMENTED_SECRET, 'base64'),
} as const;
/** How many values of each type; npm run test:long -- test/publishing/every-type has more. */
const IS_LONG = process.env.ZONEWRIGHT_TESTS_LONG === 'true';
const VALUES = IS_LONG ? 300 : 20;
const SEED = seedFrom('ZONEWRIGHT_SEED', IS_LONG);

const TYPES = [...STANDARD_TYPES, ...OPAQUE_CODES.flatMap((code) => genericType(`TYPE${code}`) ?? [])];
/** Types of which PowerDNS 4.7 refuses some values, or alters them or their TTL. */
const FAULTS_OF_POWERDNS = new Set(['APL', 'CAA', 'CDNSKEY', 'CDS', 'HTTPS', 'IPSECKEY', 'LOC', 'SVCB']);
/** Their owners are names of hosts (RFC 1123 §2.1). */
const HOST_TYPES = new Set(['A', 'AAAA', 'MX']);
const HOST_LABELS = ['a', 'B-9', '_x'];
const ANY_LABELS = [
  ...HOST_LABELS,
  'Main\\032Printer',
  '-foo-',
  'foo/bar',
  'dot\\.ted',
  '\\000',
  '\\255\\128',
  '\\"\\;\\(\\@\\$\\\\',
  '*',
  'sub.*',
  'l'.repeat(63),
];

/** Gives each value a separate owner, so that zone rules do not matter. */
function recordsOf(type: RecordType, zone: string): string[] {
  const labels = HOST_TYPES.has(type.name) ? HOST_LABELS : ANY_LABELS;
  return typeSamples(type, VALUES, SEED).map((rdata, at) => {
    const label = type.name === 'NS' || type.name === 'DS' ? 'cut' : (labels[at % labels.length] ?? 'a');
    const owner = DomainName.parse(`${label}.x${at}.type${type.code}.${zone}`);
    const cut = type.name === 'DS' ? `cut.x${at}.type${type.code}.${zone} 60 IN NS ns1.example.net.\n` : '';
    return cut + writeRecordSet({ owner, type, ttl: 60, rdatas: [rdata] });
  });
}

/** Files below the size of a request that the service takes. */
function filesOf(records: readonly string[]): string[] {
  const files = [''];
  for (const record of records) {
    if ((files.at(-1) ?? '').length + record.length > 900_000) files.push('');
    files.push((files.pop() ?? '') + record);
  }
  return files;
}

describe('random data of every type that the service accepts', () => {
  let pool: Pool;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-every-type-'));
    const settings = { DEFAULT__QUOTA_ZONE_RECORDS: '1000000', SERVICE_API__CHANGES_PER_MINUTE: '0' };
    const servers = missingPackages(FOUR_SERVERS.needs).length > 0 ? [] : NAMES;
    pool = await Pool.start({ directory, servers, settings });
  });
  afterAll(() => pool.stop());

  async function expectOn(names: readonly NameServerName[], zone: string, types: readonly RecordType[]): Promise<void> {
    const domain = await newDomain(pool.clients, zone);
    for (const file of filesOf(types.flatMap((type) => recordsOf(type, zone)))) await domain.import(file);
    await pool.syncNsd();
    const servers = names.map((name) => pool.server(name));
    await pool.served(domain, servers);
    const question = query(MetaType.AXFR, {}, DomainName.parse(zone));
    const { records } = await transfer(pool.port, question, KEY);
    expect(records.length).toBeGreaterThan(types.length * VALUES);
    for (const { name, port } of servers) {
      const answer = await transfer(port, question, KEY);
      expect([name, ...linesOfRecords(answer.records)]).toEqual([name, ...linesOfRecords(records)]);
    }
  }

  itWith(FOUR_SERVERS)(
    `5.15 is served by BIND, Knot and NSD after a transfer, record for record (seed ${SEED})`,
    () => expectOn(['BIND', 'Knot', 'NSD'], 'example.org.', TYPES),
    120_000,
  );

  itWith(FOUR_SERVERS)(
    `5.15 is served by PowerDNS in the same way, but for types that docs/publishing.md names (seed ${SEED})`,
    () =>
      expectOn(
        ['PowerDNS'],
        'example.net.',
        TYPES.filter(({ name }) => !FAULTS_OF_POWERDNS.has(name)),
      ),
    120_000,
  );
});
