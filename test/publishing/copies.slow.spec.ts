import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { type Copy, type PublishedZone, ZoneSource } from '../../src/publishing/transfers/zone-source.js';
import { answerOf } from '../support/answers.js';
import { assembleTestService, type AssembledService } from '../support/assembled-service.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { storeRows } from '../support/store-rows.js';
import { recordsOfFile } from '../support/zone-records.js';
import { linesOf, recordsOf } from './read-copy.js';

/** Renders transfers because clients may request them; needs no name server. */
const SETTINGS = { SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1', DEFAULT__QUOTA_API_EXPORT_SIZE: '1000000' };
const PRESENT = new AbortController().signal;

let service: AssembledService;
let source: ZoneSource;
let zone: TestDomain;

beforeAll(async () => {
  service = await assembleTestService({ settings: SETTINGS });
  // Injection tokens are abstract classes.
  source = service.get(ZoneSource as never);
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});

const published = async (): Promise<PublishedZone> => (await source.find(DomainName.parse(zone.name)))!;
const whole = async (): Promise<Copy> => source.axfr(await published(), PRESENT);
const exported = async (): Promise<string[]> => recordsOfFile(await zone.export(), zone.name);
const addresses = (count: number): string =>
  Array.from({ length: count }, (_, at) => `h${at} A 192.0.${at >> 8}.${at & 255}\n`).join('');
/** Long enough that 2,500 of them exceed the memory limit of a cached transfer. */
const texts = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `t${from + at} TXT ${'x'.repeat(200)} ${'y'.repeat(200)}\n`).join('');

describe('a zone', () => {
  it('12.1 is found by its name in any case, and by the names below it', async () => {
    const { id, serial } = await zone.now();
    for (const name of [zone.name, zone.name.toUpperCase(), zone.at('www'), zone.at('a.b.c.d')])
      expect(await source.find(DomainName.parse(name))).toMatchObject({ id, serial, ttl: zone.ttl });
    expect(await source.find(DomainName.parse('example.org.'))).toBeNull();
    expect(await source.find(DomainName.ROOT)).toBeNull();
  });

  it('12.1 is found together with others, each as it is', async () => {
    const others = await Promise.all(Array.from({ length: 20 }, () => newDomain(service)));
    const found = await Promise.all(others.map(({ name }) => source.find(DomainName.parse(name))));
    expect(found.map((each) => each?.id)).toEqual(others.map(({ id }) => id));
  });

  it('12.2 is found under its new serial as soon as a change is answered', async () => {
    for (let change = 0; change < 5; change += 1) {
      await zone.newRecord({ name: zone.at(`n${change}`) });
      const { serial, soa } = await published();
      expect(serial).toBe((await zone.now()).serial);
      expect(Buffer.from(soa).readUInt32BE(soa.length - 20)).toBe(serial);
    }
  });

  it('12.1 is not found after its deletion, and then has no cached transfer', async () => {
    const found = await published();
    await answerOf(service.call('delete', `/v1/domains/${zone.id}`));
    expect(await source.find(DomainName.parse(zone.name))).toBeNull();
    await expect(source.axfr(found, PRESENT)).rejects.toMatchObject({ code: 'zone_not_found' });
  });
});

describe('a copy of a whole zone', () => {
  it('12.1, 12.2 equals the export, record for record and TTL for TTL', async () => {
    await zone.import(
      'a 60 A 192.0.2.1\na 30 A 192.0.2.2\na A 192.0.2.3\n@ NS ns9.example.net.\n@ MX 10 a\n' +
        'WWW CNAME a\nt TXT "one" "two"\n_sip._tcp SRV 1 2 3 a\n*.w AAAA 2001:db8::1\n',
    );
    const copy = await whole();
    expect(copy.serial).toBe((await zone.now()).serial);
    expect(await linesOf(copy, zone.name)).toEqual(await exported());
  });

  it('12.1 has no address of a name server that lies in the zone of another tenant (attack case 47)', async () => {
    const other = await newDomain(service.as('other'));
    const target = other.at('ns');
    await other.newRecord({ name: target, data: '192.0.2.66' });
    await zone.newRecord({ name: zone.at('sub'), type: 'NS', data: target });
    await zone.newRecord({ name: zone.name, type: 'NS', data: target });
    const types = (await linesOf(await whole(), zone.name)).map((line) => line.split(' ')[2]);
    // SOA, the NS of the service, and these two.
    expect(types.filter((type) => type === 'NS').length).toBeGreaterThanOrEqual(3);
    expect(types.filter((type) => type !== 'NS')).toEqual(['SOA']);
  });

  it('12.1 begins and ends with the SOA (RFC 5936 §2.2) at any size', async () => {
    for (const [count, file] of [
      [1, addresses(1)],
      [401, texts(1, 400)],
      [2401, texts(401, 2000)],
      [4401, texts(2401, 2000)],
    ] as const) {
      await zone.import(file);
      const records = await recordsOf(await whole(), zone.name);
      expect(records).toHaveLength(count + 3);
      expect(records.flatMap(({ type }, at) => (type === SOA.code ? [at] : []))).toEqual([0, count + 2]);
    }
    expect(await linesOf(await whole(), zone.name)).toEqual(await exported());
  });

  it('12.2, 4.6 has one TTL for each set of a large zone, with any record TTLs', async () => {
    await zone.import(addresses(600));
    await zone.import(
      'm 60 A 192.0.2.1\nm A 192.0.2.2\nm 300 A 192.0.2.3\nm 5 TXT one\nM.x 7 A 192.0.2.4\nm.x 9 A 192.0.2.5\n' +
        '@ 77 NS ns9.example.net.\n@ 5 NS ns1.example.net.\nu 3600 A 192.0.2.6\nu A 192.0.2.7\n',
    );
    expect(await linesOf(await whole(), zone.name)).toEqual(await exported());
    const { id } = (await zone.records()).find(({ ttl }) => ttl === 60)!;
    await answerOf(zone.delete(id));
    expect(await linesOf(await whole(), zone.name)).toEqual(await exported());
  });

  it('12.1 has long records of a large zone, except those that exceed a message', async () => {
    await zone.import(addresses(600));
    const long = (octets: number): string =>
      Array.from({ length: octets / 250 }, () => `"${'z'.repeat(249)}"`).join(' ');
    for (const octets of [4000, 5000, 30_000, 64_000]) await zone.import(`l${octets} TXT ${long(octets)}\n`);
    expect(await linesOf(await whole(), zone.name)).toEqual(await exported());
    await zone.import(`l65000 TXT ${long(65_000)}\n`);
    const withoutLongest = (await exported()).filter((line) => !line.startsWith(zone.at('l65000')));
    expect(await linesOf(await whole(), zone.name)).toEqual(withoutLongest);
  });

  it('12.4 leaves out the sets with records that cannot be read, and has all else', async () => {
    for (const count of [10, 600]) {
      await zone.import(addresses(count));
      const damages = [
        "rdata = '0'",
        "rdata = 'zz000000'",
        "type = 'NOSUCH'",
        "name = 'other.example.'",
        "name = '..'",
      ];
      for (const [at, damage] of damages.entries()) {
        const name = zone.at(`bad${at}-${count}`);
        for (const data of ['192.0.2.1', '192.0.2.2']) await zone.newRecord({ name, data });
        const last = `(SELECT MAX(id) FROM records WHERE zone_id = '${zone.id}')`;
        storeRows(
          service.databaseFile,
          {},
          `UPDATE records SET ${damage} WHERE zone_id = '${zone.id}' AND id = ${last}`,
        );
        await zone.newRecord({ name: zone.at(`good${at}-${count}`) });
        expect(await linesOf(await whole(), zone.name)).toEqual(await exported());
      }
      const lines = await linesOf(await whole(), zone.name);
      expect(lines.filter((line) => line.startsWith('bad'))).toEqual([]);
      expect(lines.filter((line) => line.startsWith('good')).length).toBeGreaterThanOrEqual(5);
    }
  });

  it('12.1 is rendered once for concurrent readers and continues until the last one has left', async () => {
    await zone.import(texts(0, 2000));
    const found = await published();
    const [first, second] = [new AbortController(), new AbortController()];
    const copies = [first, second].map(({ signal }) => source.axfr(found, signal));
    first.abort();
    await expect(copies[0]).rejects.toMatchObject({ code: 'unavailable' });
    expect(await linesOf((await copies[1])!, zone.name)).toEqual(await exported());
    await zone.newRecord();
    const moved = await published();
    const unwanted = source.axfr(moved, second.signal);
    second.abort();
    await expect(unwanted).rejects.toMatchObject({ code: 'unavailable' });
    expect((await source.axfr(moved, PRESENT)).serial).toBe(moved.serial);
  });

  it('12.1 keeps its state for its reader while the zone changes (attack case 98)', async () => {
    await zone.import(texts(0, 2000));
    await zone.import(texts(2000, 1500));
    const [copy, then] = [await whole(), await exported()];
    for (let change = 0; change < 3; change += 1) {
      await zone.newRecord({ name: zone.at(`n${change}`) });
      (await whole()).release();
    }
    expect(await linesOf(copy, zone.name)).toEqual(then);
  });

  it('12.3 is one for each serial, also during changes', async () => {
    await zone.import(addresses(600));
    const copies = new Map<number, string[][]>();
    const changes = new AbortController();
    const reading = (async () => {
      while (!changes.signal.aborted) {
        const copy = await whole();
        const lines = await linesOf(copy, zone.name);
        copies.set(copy.serial, [...(copies.get(copy.serial) ?? []), lines]);
      }
    })();
    for (let change = 0; change < 30; change += 1) await zone.newRecord({ name: zone.at(`n${change}`) });
    changes.abort();
    await reading;
    expect(copies.size).toBeGreaterThan(1);
    for (const [serial, lines] of copies) {
      const text = await answerOf(service.call('get', `/v1/domains/${zone.id}/export?serial=${serial}`));
      const then = recordsOfFile(text.text, zone.name);
      for (const each of lines) expect(each).toEqual(then);
    }
  });
});
