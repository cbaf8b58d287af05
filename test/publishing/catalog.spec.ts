import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { CatalogZone } from '../../src/publishing/catalog/catalog-zone.js';
import type { Copy } from '../../src/publishing/transfers/zone-source.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName, newDomain } from '../support/domain.js';
import { Secondary } from '../support/secondary.js';
import { type Settings, startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { until } from '../support/until.js';
import { v2RefusalOf } from '../support/v2.js';

const NAME = DomainName.parse('catalog.example.');
const NEVER = new AbortController().signal;

let secondary: Secondary;
let service: TestService;

beforeEach(async () => {
  secondary = await Secondary.start();
});
afterEach(async () => {
  await service.stop();
  await secondary.stop();
});

async function start(settings: Settings = {}): Promise<CatalogZone> {
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: secondary.address,
    SERVICE_MDNS__CATALOG_ZONE: NAME.toString(),
    ...settings,
  });
  const catalog = service.running.application.app.get(CatalogZone, { strict: false });
  await until(async () => (await catalog.find(NAME)) !== null);
  return catalog;
}

/** The records of a copy, as a secondary would read them. */
async function recordsOf(copy: Copy): Promise<ResourceRecord[]> {
  const records: ResourceRecord[] = [];
  for await (const { count, offset, octets } of copy.sections()) {
    const header = Buffer.alloc(12);
    header.writeUInt16BE(offset > 12 ? 1 : 0, 4);
    header.writeUInt16BE(count, 6);
    const question = offset > 12 ? Buffer.concat([NAME.wire, Buffer.from([0, 252, 0, 1])]) : Buffer.alloc(0);
    records.push(...readMessage(Buffer.concat([header, question, octets])).answers);
  }
  return records;
}

const written = ({ owner, type, rdata }: ResourceRecord): string =>
  `${owner.toString()} ${type} ${Buffer.from(rdata).toString('hex')}`;
const member = (id: string): string => `${id}.zones.catalog.example.`;
const pointer = ({ id, name }: Pick<DomainBody, 'id' | 'name'>): string =>
  `${member(id)} 12 ${Buffer.from(DomainName.parse(name).wire).toString('hex')}`;

async function wholeOf(catalog: CatalogZone): Promise<{ serial: number; records: string[] }> {
  const zone = await catalog.find(NAME);
  const copy = await catalog.axfr(zone!, NEVER);
  const records = await recordsOf(copy);
  expect(written(records[0]!)).toBe(written(records.at(-1)!));
  return { serial: copy.serial, records: records.slice(1, -1).map(written).sort() };
}

const remove = async ({ id }: DomainBody): Promise<void> => {
  expect((await answerOf(service.call('delete', `/v1/domains/${id}`))).status).toBe(200);
};

describe('the catalog zone', () => {
  it('12.1 has a member for each domain with its group (RFC 9432)', async () => {
    const catalog = await start({ SERVICE_MDNS__CATALOG_GROUP: 'zonewright' });
    const domains = [await newDomain(service), await newDomain(service, 'UPPER.example.org.')];
    const group = `10${Buffer.from('zonewright').toString('hex')}`.replace(/^10/, '0a');
    const wanted = [
      `catalog.example. 2 ${Buffer.from('\x07invalid\0', 'latin1').toString('hex')}`,
      'version.catalog.example. 16 0132',
      ...domains.flatMap((domain) => [pointer(domain), `group.${member(domain.id)} 16 ${group}`]),
    ].sort();
    await until(async () => (await wholeOf(catalog)).records.length === wanted.length);
    expect((await wholeOf(catalog)).records).toEqual(wanted);
    expect((await catalog.find(NAME))?.id).toBe('catalog');
    expect((await catalog.find(DomainName.parse('version.Catalog.example.')))?.id).toBe('catalog');
    expect(await catalog.find(DomainName.parse('example.'))).toBeNull();
  });

  it('12.1 has each of more members than are read at a time once', async () => {
    const catalog = await start();
    // Kept, so that no zone is missed.
    const members = Array.from({ length: 4001 }, (_, at) => ({
      zone_id: `01800000-0000-7000-8000-${String(at).padStart(12, '0')}`,
      name: `m${at}.example.`,
      added_serial: 1,
      is_kept: 1,
    }));
    storeRows(service.databaseFile, { catalog_members: members }, 'UPDATE catalogs SET serial = serial + 1');
    const pointers = members.map(({ zone_id: id, name }) => pointer({ id, name }));
    const { records } = await wholeOf(catalog);
    expect(records.filter((record) => record.includes(' 12 '))).toEqual(pointers.sort());
  });

  it('7.4 has a name that no domain is given, not even an admin’s', async () => {
    const catalog = await start();
    const domain = { name: 'Catalog.EXAMPLE.', email: 'hostmaster@example.org' };
    await refusalOf(service.call('post', '/v1/domains', domain), 400, 'illegal_parent');
    await refusalOf(service.as('tenant-m').call('post', '/v1/domains', domain), 400, 'illegal_parent');
    const zone = { name: domain.name, type: 'SECONDARY', masters: ['9.9.9.9'] };
    await v2RefusalOf(service.call('post', '/v2/zones', zone), 403, 'illegal_parent');
    const below = await newDomain(service, 'below.catalog.example.');
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(below)));
  });

  it('12.1 carries any text as its group (attack case 9)', async () => {
    const group = 'quote " backslash \\ semicolon ; $ORIGIN (';
    const catalog = await start({ SERVICE_MDNS__CATALOG_GROUP: group });
    const domain = await newDomain(service);
    await until(async () => (await wholeOf(catalog)).records.length === 4);
    const rdata = Buffer.concat([Buffer.from([group.length]), Buffer.from(group)]).toString('hex');
    expect((await wholeOf(catalog)).records).toContain(`group.${member(domain.id)} 16 ${rdata}`);
    await expect(startTestService({ SERVICE_MDNS__CATALOG_GROUP: 'line\nfeed' })).rejects.toThrow(/catalog_group/);
  });

  it('12.1 notifies servers of created and deleted domains immediately', async () => {
    const catalog = await start();
    await until(() => secondary.notifiesOf(NAME.toString()).length > 0);
    const domain = await newDomain(service);
    secondary.heard.length = 0;
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(domain)));
    await until(() => secondary.notifiesOf(NAME.toString()).length > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    secondary.heard.length = 0;
    await remove(domain);
    await until(() => secondary.notifiesOf(NAME.toString()).length > 0);
    expect((await wholeOf(catalog)).records).not.toContain(pointer(domain));
    expect(secondary.questionsOf(NAME.toString())).toEqual([]);
  });

  it('12.1 gives a recreated domain another label, and otherwise keeps the label', async () => {
    const catalog = await start();
    const name = freshName();
    const first = await newDomain(service, name);
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(first)));
    await remove(first);
    const again = await newDomain(service, name);
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(again)));
    expect((await wholeOf(catalog)).records).not.toContain(pointer(first));
    await bodyOf(service.call('put', `/v1/domains/${again.id}`, { ttl: 77 }));
    expect((await wholeOf(catalog)).records).toContain(pointer(again));
  });

  it('13.7 keeps an abandoned zone until its name is created again', async () => {
    const catalog = await start();
    const name = freshName();
    const abandoned = await newDomain(service, name);
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(abandoned)));
    await answerOf(service.call('post', `/v2/zones/${abandoned.id}/tasks/abandon`), 204);
    const other = await newDomain(service);
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(other)));
    expect((await wholeOf(catalog)).records).toContain(pointer(abandoned));
    const again = await newDomain(service, name.toUpperCase());
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(again)));
    const { records } = await wholeOf(catalog);
    expect(records).toContain(pointer(other));
    expect(records).not.toContain(pointer(abandoned));
  });

  it('12.1 returns the exact difference from each of its serials', async () => {
    const catalog = await start();
    const states = [];
    const alive: DomainBody[] = [];
    for (let step = 0; step < 14; step++) {
      if (step % 3 === 2) await remove(alive.splice(step % alive.length, 1)[0]!);
      else alive.push(await newDomain(service));
      const wanted = alive.map(pointer).sort();
      await until(async () => {
        const pointers = (await wholeOf(catalog)).records.filter((record) => record.includes(' 12 '));
        return JSON.stringify(pointers) === JSON.stringify(wanted);
      });
      states.push(await wholeOf(catalog));
    }
    const serials = states.map(({ serial }) => serial);
    expect([...new Set(serials)].sort((one, other) => one - other)).toEqual(serials);
    const now = states.at(-1)!;
    const zone = (await catalog.find(NAME))!;
    let differences = 0;
    for (const { serial, records } of states) {
      const copy = await catalog.ixfr(zone, serial, NEVER);
      if (copy === null) continue;
      differences += 1;
      expect(applied(records, (await recordsOf(copy)).map(written))).toEqual(now.records);
    }
    expect(differences).toBeGreaterThan(5);
    expect(await catalog.ixfr(zone, serials[0]! - 100_000, NEVER)).toBeNull();
  });

  it('12.1, 12.3 is sent whole to servers with an unknown serial, as after a restore', async () => {
    const catalog = await start();
    const before = await newDomain(service);
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(before)));
    const { serial } = await wholeOf(catalog);
    storeRows(service.databaseFile, {}, 'UPDATE catalogs SET serial = serial + 10');
    const after = await newDomain(service);
    await until(async () => (await wholeOf(catalog)).records.includes(pointer(after)));
    const zone = (await catalog.find(NAME))!;
    expect(await catalog.ixfr(zone, serial, NEVER)).not.toBeNull();
    expect(await catalog.ixfr(zone, serial + 5, NEVER)).toBeNull();
  });

  it('12.1 contains the domains that are older than the catalog', async () => {
    service = await startTestService();
    const before = service;
    const domains = [await newDomain(service), await newDomain(service)];
    const catalog = await (async () => {
      service = await startTestService({
        SERVICE_MDNS__ENABLED: 'True',
        SERVICE_MDNS__LISTEN: '127.0.0.1:0',
        SERVICE_MDNS__SECONDARIES: secondary.address,
        SERVICE_MDNS__CATALOG_ZONE: NAME.toString(),
        DATABASE__URL: databaseUrlOf(before),
      });
      return service.running.application.app.get(CatalogZone, { strict: false });
    })();
    await until(async () => (await catalog.find(NAME)) !== null);
    await until(
      async () => domains.every((domain) => domain.id !== '') && (await wholeOf(catalog)).records.length === 4,
    );
    expect((await wholeOf(catalog)).records).toEqual(expect.arrayContaining(domains.map(pointer)));
    await service.stop();
    service = before;
  });
});

function databaseUrlOf({ databaseFile }: TestService): string {
  return databaseFile.startsWith('postgresql:') ? databaseFile : `sqlite:${databaseFile}`;
}

/** New SOA, old SOA, deletions, new SOA, additions, new SOA (RFC 1995 §4). */
function applied(records: readonly string[], difference: readonly string[]): string[] {
  const ends = difference.flatMap((record, at) => (record.startsWith('catalog.example. 6 ') ? [at] : []));
  if (difference.length === 1) return [...records];
  expect(ends).toHaveLength(4);
  const [, old, middle, end] = ends as [number, number, number, number];
  const gone = new Set(difference.slice(old + 1, middle));
  for (const record of gone) expect(records).toContain(record);
  return [...records.filter((record) => !gone.has(record)), ...difference.slice(middle + 1, end)].sort();
}
