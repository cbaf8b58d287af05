import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

/** The records of the domain as `name ttl type data`, in any order. */
async function stored(): Promise<string[]> {
  const records = await zone.records();
  return records.map(({ name, ttl, type, data }) => `${name} ${String(ttl)} ${type} ${data}`).sort();
}

/** The messages of a refused import. */
async function refusals(file: string): Promise<string[]> {
  const { status, body } = await zone.sendFile(file);
  expect(status).toBe(400);
  return (body.errors as { path: string; message: string }[]).map(({ path, message }) => `${path}: ${message}`);
}

describe('Cloudflare', () => {
  it('15.8 imports an export whose SOA has no final dot, and says so', async () => {
    const name = zone.name.slice(0, -1);
    const file =
      `;;\n;; Domain:     ${zone.name}\n;; Exported:   2026-09-21 17:40:08\n;;\n` +
      `${name}\t3600\tIN\tSOA\tamos.ns.cloudflare.com. dns.cloudflare.com. 2050891861 10000 2400 604800 3600\n\n` +
      `${zone.name}\t1\tIN\tA\t192.0.2.1 ; cf_tags=cf-proxied:false\n` +
      `${name}\t1\tIN\tA\t192.0.2.9\n`;
    expect(await zone.import(file)).toMatchObject({
      ...{ created: 2, skipped: 1 },
      repairs: [{ kind: 'soa_owner', count: 1, line: 5, text: name }],
    });
    // The line after it keeps its meaning (RFC 1035 §5.1).
    expect(await stored()).toEqual([`${name}.${zone.name} 1 A 192.0.2.9`, `${zone.name} 1 A 192.0.2.1`].sort());
  });

  it('15.8 imports an earlier export without its placeholder for a name server', async () => {
    const file =
      `;; NS Records (YOU MUST CHANGE THIS)\n$ORIGIN .\n@ 3600 IN SOA ${zone.name} root.${zone.name} (\n 1\n 7200\n 3600\n 86400\n 3600)\n` +
      `${zone.name}\t300\tIN\tNS\tREPLACE&ME$WITH^YOUR@NAMESERVER.\n${zone.name}\t300\tIN\tNS\tREPACE&ME$WITH^YOUR@NAMESERVER.\n` +
      `www.${zone.name} 300 IN A 192.0.2.1\n`;
    expect(await zone.import(file)).toMatchObject({
      ...{ created: 1, skipped: 1 },
      repairs: [
        { kind: 'soa_owner', count: 1, line: 3, text: '@' },
        { kind: 'placeholder', count: 2, line: 9, text: 'REPLACE&ME$WITH^YOUR@NAMESERVER.' },
      ],
    });
  });
});

const GODADDY = '; Domain: example.org\n; Exported (y-m-d hh:mm:ss): 2026-09-21 10:33:17\n;\n';

describe('GoDaddy', () => {
  it('15.8 imports names that end with ".@" from its exports', async () => {
    const file = `${GODADDY}@ 600 IN A 192.0.2.1\n_sip._tls.@\t3600\t IN \tSRV\t100\t1\t443\tsipdir.online.lync.com.\n_x._tcp.@ 3600 IN SRV 1 1 1 a.example.\n`;
    expect(await zone.import(file)).toMatchObject({
      created: 3,
      repairs: [{ kind: 'origin_label', count: 2, line: 5, text: '_sip._tls.@' }],
    });
    expect((await stored()).join('\n')).toContain(`_sip._tls.${zone.name} null SRV`);
  });

  it('15.8 refuses such a name in any other file, and explains it', async () => {
    expect(await refusals('_sip._tls.@ 3600 IN SRV 100 1 443 sipdir.online.lync.com.\n')).toEqual([
      'line 1, column 1: "_sip._tls.@" ends with "@", which stands for the origin only by itself: write "_sip._tls"',
    ]);
  });
});

describe('Windows DNS', () => {
  const HEADER = ';\n;  Database file example.org.dns for example.org zone.\n;      Zone version:  12\n;\n\n';
  const RECORDS =
    '@  IN  SOA dc1 hostmaster (\n 12 ; serial number\n 900 600 86400 7200 )\n' +
    'www [AGE:3665858] 600 A 192.0.2.5\n                        [AGE:3665859] 600 A 192.0.2.6\n@ 0 IN WINS LOCAL L2 C900 ( 192.0.2.7 )\n# it\'s a "comment" (of sorts\n' +
    'ftp A 192.0.2.8\n';

  it('15.8 imports its files without ages, WINS records and comments that begin with "#"', async () => {
    expect(await zone.import(HEADER + RECORDS)).toMatchObject({
      ...{ created: 3, skipped: 1 },
      repairs: [
        { kind: 'soa_minimum_as_ttl', count: 1, line: 6, text: '7200' },
        { kind: 'record_age', count: 2, line: 9, text: '[AGE:3665858]' },
        { kind: 'wins_record', count: 1, line: 11, text: 'WINS' },
        { kind: 'hash_comment', count: 1, line: 12, text: '# it\'s a "comment" (of sorts' },
      ],
    });
    expect(await stored()).toEqual([
      `ftp.${zone.name} 7200 A 192.0.2.8`,
      `www.${zone.name} 600 A 192.0.2.5`,
      `www.${zone.name} 600 A 192.0.2.6`,
    ]);
  });

  it('15.8 refuses them in a file that Windows DNS has not written, each with its cure', async () => {
    const file = 'www [AGE:3665858] 600 A 192.0.2.5\n@ 0 IN WINS LOCAL L2 C900 ( 192.0.2.7 )\n# comment\n';
    expect(await refusals(file)).toEqual([
      'line 1, column 5: Windows DNS writes [AGE:3665858] for the age of a record: take it out',
      'line 2, column 8: WINS records are of Windows DNS only: leave them out',
      'line 3, column 1: a comment begins with ";" in a zone file, and not with "#": write ";" in its place',
    ]);
  });

  it('15.8 does not take a comment behind the first entry for the mark of a program', async () => {
    expect(await refusals(`www A 192.0.2.5\n${HEADER}# comment\n`)).toHaveLength(1);
  });
});

describe('the default TTL', () => {
  const SOA = '@ IN SOA ns1 hostmaster ( 1 7200 3600 1209600 86400 )\n';

  it('15.4 is the minimum of the SOA in a file without $TTL, and the answer says so', async () => {
    expect(await zone.import(`${SOA}www A 192.0.2.2\n`)).toMatchObject({
      repairs: [{ kind: 'soa_minimum_as_ttl', count: 1, line: 1, text: '86400' }],
    });
    expect(await stored()).toEqual([`www.${zone.name} 86400 A 192.0.2.2`]);
  });

  it('15.4 is that of the record before, where the SOA has a TTL', async () => {
    const file = `@ 300 IN SOA ns1 hostmaster ( 1 7200 3600 1209600 86400 )\nwww A 192.0.2.2\nftp 60 A 192.0.2.3\nnext A 192.0.2.4\n`;
    expect(await zone.import(file)).toMatchObject({ repairs: [] });
    expect(await stored()).toEqual([
      `ftp.${zone.name} 60 A 192.0.2.3`,
      `next.${zone.name} 60 A 192.0.2.4`,
      `www.${zone.name} 300 A 192.0.2.2`,
    ]);
  });

  it('15.4 is at most 2147483647 where the minimum of the SOA is more (RFC 2181 §8)', async () => {
    const file = `@ IN SOA ns1 hostmaster ( 1 7200 3600 1209600 4294967295 )\nwww A 192.0.2.2\n`;
    await zone.import(file);
    expect(await stored()).toEqual([`www.${zone.name} 2147483647 A 192.0.2.2`]);
  });
});
