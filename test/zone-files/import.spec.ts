import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit, contentsOf } from '../support/audit.js';
import { journalOf } from '../support/journal.js';
import { startTestService, type TestService } from '../support/service.js';
import { newDomain, type TestDomain } from '../support/domain.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({ SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net., ns2.example.net.' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

const NONE = {
  mode: 'merge',
  dry_run: false,
  created: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  skipped: 0,
  repairs: [],
};

const FILE = `$TTL 3600
@       IN SOA   ns1.example.net. hostmaster 1 3600 600 1209600 3600
        IN NS    ns1.example.net.
        IN NS    ns2.example.net.
        IN NS    ns3.example.net.
        IN MX    10 mail
www     IN A     192.0.2.3
        IN AAAA  2001:db8::3
mail 60 IN A     192.0.2.25
ftp     IN CNAME www
text    IN TXT   "v=spf1 -all" "two; strings"
`;
const RECORDS = 7;

/** The records of the domain as `label ttl type priority data`, in any order. */
async function stored(): Promise<string[]> {
  const records = await zone.records();
  return records.map(({ name, ttl, type, priority, data }) => [name, ttl, type, priority, data].join(' ')).sort();
}

describe('effects of an import', () => {
  it('15.1, 15.4 creates missing records, skips SOA and the generated name servers, and counts both', async () => {
    expect(await zone.import(FILE)).toEqual({ ...NONE, created: RECORDS, skipped: 3 });
    expect(await stored()).toEqual(
      [
        `${zone.name}  MX 10 mail.${zone.name}`,
        `${zone.name}  NS  ns3.example.net.`,
        `www.${zone.name}  A  192.0.2.3`,
        `www.${zone.name}  AAAA  2001:db8::3`,
        `mail.${zone.name} 60 A  192.0.2.25`,
        `ftp.${zone.name}  CNAME  www.${zone.name}`,
        `text.${zone.name}  TXT  "v=spf1 -all" "two; strings"`,
      ].sort(),
    );
  });

  it('15.4 the same file again changes nothing: no journal row, no new serial', async () => {
    await zone.import(FILE);
    const before = contentsOf(service.databaseFile);
    for (const mode of ['merge', 'replace'])
      expect(await zone.import(FILE, `?mode=${mode}`)).toEqual({ ...NONE, mode, unchanged: RECORDS, skipped: 3 });
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('15.5 merge keeps records that the file lacks, replace deletes them', async () => {
    await zone.import(FILE);
    const file = 'www A 192.0.2.3\nnew A 192.0.2.4\n';
    expect(await zone.import(file, '?mode=merge')).toEqual({ ...NONE, created: 1, unchanged: 1 });
    expect(await zone.records()).toHaveLength(RECORDS + 1);
    expect(await zone.import(file, '?mode=replace')).toEqual({ ...NONE, mode: 'replace', unchanged: 2, removed: 6 });
    expect(await stored()).toEqual([`new.${zone.name}  A  192.0.2.4`, `www.${zone.name}  A  192.0.2.3`]);
  });

  it('15.4 unchanged records keep id, description and spelling', async () => {
    const spelled = { name: `WWW.${zone.name}`, type: 'AAAA', data: '2001:DB8:0::3', description: 'mine' };
    const { body } = await zone.create(spelled);
    expect(await zone.import('www AAAA 2001:db8::3\n', '?mode=replace')).toMatchObject({ unchanged: 1, removed: 0 });
    expect(await zone.records()).toMatchObject([{ ...spelled, id: body.id, version: 1, updated_at: null }]);
  });

  it('15.4 another ttl of the file is an update that leaves everything else', async () => {
    const { body } = await zone.create({ name: zone.at('www'), type: 'A', data: '192.0.2.3', description: 'mine' });
    expect(await zone.import('www 300 A 192.0.2.3\n')).toEqual({ ...NONE, updated: 1 });
    expect(await zone.records()).toMatchObject([{ id: body.id, ttl: 300, description: 'mine', version: 2 }]);
    expect(journalOf(service.databaseFile, zone.id).at(-1)).toMatchObject({ action: 'record.update' });
    expect(await zone.import('www 1h A 192.0.2.3\n')).toEqual({ ...NONE, updated: 1 });
    expect(await zone.records()).toMatchObject([{ ttl: null }]);
  });

  it("15.4 the domain's own ttl is not written to the records: they follow it when it changes", async () => {
    await zone.import('$TTL 3600\nwww A 192.0.2.3\nno-ttl A 192.0.2.4\nother 3601 A 192.0.2.5\n');
    expect((await zone.records()).map(({ ttl }) => ttl)).toEqual([null, null, 3601]);
  });

  it('15.4 a file without any ttl takes that of the domain', async () => {
    await zone.import('www A 192.0.2.3\n');
    expect(await zone.export()).toContain(`www.${zone.name}\t3600\tIN\tA\t192.0.2.3\n`);
  });

  it('15.4 a record that stands twice in the file is stored once', async () => {
    expect(await zone.import('www A 192.0.2.3\nWWW A 192.0.2.3\n')).toEqual({ ...NONE, created: 1, unchanged: 1 });
  });

  it('15.2 all of it is one change: one serial, one request id, and a journal row for each record', async () => {
    const before = await zone.now();
    const answer = await zone.sendFile(FILE);
    const { serial } = await zone.now();
    expect(serial).toBeGreaterThan(before.serial);
    const [, ...rows] = journalOf(service.databaseFile, zone.id);
    expect(rows).toHaveLength(RECORDS);
    const requestId = answer.headers['x-openstack-request-id'];
    for (const row of rows) expect(row).toMatchObject({ action: 'record.create', serial, request_id: requestId });
  });

  it.each([
    [
      'www A 192.0.2.1\nwww CNAME other\n',
      'CNAME cannot stand beside A, which www.ZONE has in line 1: leave one of them out.',
    ],
    ['x CNAME a\n\nx CNAME b\n', 'x.ZONE has a CNAME in line 1 already: leave one of them out.'],
    ['m MX 10 a\nm MX 0 .\n', 'm.ZONE has another MX in line 1, and a null MX stands alone: leave one of them out.'],
  ])('15.2 names the conflicting line where two lines of %j exclude each other', async (file, message) => {
    const { status, body } = await zone.sendFile(file);
    expect([status, body.errors]).toMatchObject([400, [{ message: message.replace('ZONE', zone.name) }]]);
  });

  it('15.5 a name may change its type in one replacement, to CNAME and back', async () => {
    await zone.import('www CNAME ftp\nftp A 192.0.2.1\n');
    const swapped = 'www A 192.0.2.1\nftp CNAME www\n';
    expect(await zone.import(swapped, '?mode=replace')).toEqual({ ...NONE, mode: 'replace', created: 2, removed: 2 });
    expect(await zone.import('www CNAME ftp.example.net.\n', '?mode=replace')).toMatchObject({
      created: 1,
      removed: 2,
    });
    expect(await zone.import('www CNAME other.example.net.\n', '?mode=replace')).toMatchObject({
      created: 1,
      removed: 1,
    });
  });

  it('15.5 a DNAME may take the place of the names below it, and a null MX that of the exchangers', async () => {
    await zone.import('a.sub A 192.0.2.1\nmx MX 10 mail\n');
    const file = 'sub DNAME example.net.\nmx MX 0 .\n';
    expect(await zone.import(file, '?mode=replace')).toMatchObject({ created: 2, removed: 2 });
  });

  it("15.4 replace leaves a stored record that equals one of the service's own name servers, when the file has it", async () => {
    await zone.create({ name: zone.name, type: 'NS', data: 'ns1.example.net.' });
    const counts = await zone.import(await zone.export(), '?mode=replace');
    expect(counts).toEqual({ ...NONE, mode: 'replace', skipped: 3 });
    expect(await zone.records()).toHaveLength(1);
  });

  it('5.9 all types come in, those with a number only included', async () => {
    const file = 'a TYPE65280 \\# 3 0a0b0c\nb TYPE1 192.0.2.1\nc A \\# 4 c0000201\nd HINFO PC Linux\n';
    expect(await zone.import(file)).toMatchObject({ created: 4 });
    expect((await zone.records()).map(({ type, data }) => `${type} ${data}`)).toEqual([
      'TYPE65280 \\# 3 0a0b0c',
      'A 192.0.2.1',
      'A 192.0.2.1',
      'HINFO "PC" "Linux"',
    ]);
  });

  it('15.3 takes CRLF, a byte order mark, and a last line without its end', async () => {
    expect(await zone.import('\ufeffwww A 192.0.2.3\r\nftp CNAME www\r\nlast A 192.0.2.4')).toMatchObject({
      created: 3,
    });
  });
});

describe('dry_run=true', () => {
  it.each(['merge', 'replace'])('15.5 counts the effects of %s and stores nothing', async (mode) => {
    await zone.import('old A 192.0.2.1\nwww A 192.0.2.2\nttl 60 A 192.0.2.3\n');
    const before = contentsOf(service.databaseFile);
    const file = 'www A 192.0.2.2\nttl A 192.0.2.3\nnew A 192.0.2.4\n';
    const counts = await zone.import(file, `?mode=${mode}&dry_run=true`);
    const removed = mode === 'replace' ? 1 : 0;
    expect(counts).toEqual({ ...NONE, mode, dry_run: true, created: 1, updated: 1, unchanged: 1, removed });
    expect(contentsOf(service.databaseFile)).toEqual(before);
    expect(await zone.import(file, `?mode=${mode}&dry_run=false`)).toEqual({ ...counts, dry_run: false });
  });

  it('15.5 finds the same faults', async () => {
    const file = 'www A 192.0.2.2\nwww CNAME example.net.\n';
    expect(await zone.refuse(file, '?dry_run=true')).toEqual(await zone.refuse(file));
  });
});
