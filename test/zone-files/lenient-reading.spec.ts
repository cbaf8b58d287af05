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

const SOA = '@ 3600 IN SOA ns1 hostmaster 1 7200 3600 1209600 3600\n';

async function stored(): Promise<string[]> {
  const records = await zone.records();
  return records.map(({ name, type, data }) => `${name} ${type} ${data}`).sort();
}

describe('names outside the domain', () => {
  it('15.3 are left out of a file that has records of the domain, and counted with the first line', async () => {
    const file =
      `${SOA}www 300 A 192.0.2.1\nns.example.net. 300 A 192.0.2.2\n\t300 AAAA 2001:db8::2\n` +
      '$ORIGIN example.com.\nftp 300 TXT "unclosed data of no type" \n';
    expect(await zone.import(file)).toMatchObject({
      ...{ created: 1, skipped: 1 },
      repairs: [
        {
          ...{ kind: 'outside_zone', count: 3, line: 3, text: 'ns.example.net.' },
          message: '3 records at names outside the domain were left out.',
        },
      ],
    });
    expect(await stored()).toEqual([`www.${zone.name} A 192.0.2.1`]);
  });

  it('15.3 are left out although their suffix ends with the name of the domain', async () => {
    const file = `www 300 A 192.0.2.1\nbad${zone.name} 300 A 192.0.2.2\n`;
    expect(await zone.import(file)).toMatchObject({
      created: 1,
      repairs: [
        {
          ...{ kind: 'outside_zone', count: 1, line: 2, text: `bad${zone.name}` },
          message: '1 record at a name outside the domain was left out.',
        },
      ],
    });
  });

  it('15.3 are skipped in $GENERATE output', async () => {
    const file = `www 300 A 192.0.2.1\n$GENERATE 1-3 h$.example.net. 300 A 192.0.2.$\n`;
    expect(await zone.import(file)).toMatchObject({
      created: 1,
      repairs: [{ kind: 'outside_zone', count: 3, line: 2, text: 'h1.example.net.' }],
    });
  });

  it.each([
    ['all of them', 'a.example.net. 300 A 192.0.2.1\nb.example.net. 300 A 192.0.2.1\n', 1],
    ['those of $GENERATE', '$GENERATE 1-3 h$.example.net. 300 A 192.0.2.$\n', 1],
    ['all but an SOA at the root', `. 300 SOA ns1 h 1 2 3 4 5\na.example.net. 300 A 192.0.2.1\n`, 2],
  ])('15.3 make a file of another domain, which is refused: %s', async (_, file, line) => {
    await zone.import('kept 300 A 192.0.2.9\n');
    for (const query of ['', '?mode=replace'])
      expect(await zone.refuse(file, query)).toEqual([
        expect.stringMatching(
          new RegExp(
            `^${line}:1 "[ah]1?\\.example\\.net\\." lies outside the zone ${zone.name}, ` +
              'as all names of the file do: import it into its own domain, or correct the names$',
          ),
        ),
      ]);
    expect(await stored()).toEqual([`kept.${zone.name} A 192.0.2.9`]);
  });

  it('15.3 make a file of another domain where its SOA is among them', async () => {
    const file = `example.net. 300 SOA ns1 h 1 2 3 4 5\nwww.${zone.name} 300 A 192.0.2.1\n`;
    expect(await zone.refuse(file)).toEqual([
      `1:1 "example.net." lies outside the zone ${zone.name}: leave the record out, or correct its name`,
    ]);
  });

  it('15.3 leave the errors of other lines as they are', async () => {
    expect(await zone.refuse('a.example.net. 300 A 192.0.2.1\nb 300 A 192.0.2.256\n')).toEqual([
      expect.stringMatching(/^2:9 /),
    ]);
  });
});

describe('a first record without an owner name', () => {
  it('15.8 stands at the domain, and so do those after it until a name comes, as NSD and ldns read them', async () => {
    const file =
      ` SOA ns1 hostmaster 1 7200 3600 1209600 3600\n$ORIGIN sub.${zone.name}\n 300 A 192.0.2.1\n` +
      'www 300 A 192.0.2.2\n 300 A 192.0.2.3\n';
    expect(await zone.import(file)).toMatchObject({
      ...{ created: 3, skipped: 1 },
      repairs: [
        {
          ...{ kind: 'first_owner', count: 1, line: 1, text: 'SOA' },
          message: 'The first record has no owner name: it was read as a record of the domain itself.',
        },
        { kind: 'soa_minimum_as_ttl' },
      ],
    });
    expect(await stored()).toEqual(
      [`${zone.name} A 192.0.2.1`, `www.sub.${zone.name} A 192.0.2.2`, `www.sub.${zone.name} A 192.0.2.3`].sort(),
    );
  });
});

describe('DS at the apex', () => {
  it('15.8 is left out as a record of the parent, and DS at a delegation stays', async () => {
    const ds = `DS 1 8 2 ${'ab'.repeat(32)}`;
    const file = `${SOA}@ 300 ${ds}\nsub 300 NS ns.example.net.\nsub 300 ${ds}\n`;
    expect(await zone.import(file)).toMatchObject({
      ...{ created: 2, skipped: 1 },
      repairs: [
        {
          ...{ kind: 'apex_ds', count: 1, line: 2, text: zone.name },
          message: 'DS of the domain itself stands in its parent zone: it was left out.',
        },
      ],
    });
    expect((await stored()).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      `sub.${zone.name} DS`,
      `sub.${zone.name} NS`,
    ]);
  });
});

describe('the root as a name server', () => {
  it('15.8 is left out, whichever way it is written, and other name servers stay', async () => {
    const file =
      `${SOA}sub 300 NS .\nsub 300 NS ns.example.net.\n$ORIGIN .\nsub.${zone.name} 300 NS @\n` +
      `sub.${zone.name} 300 NS \\# 1 00\n`;
    expect(await zone.import(file)).toMatchObject({
      created: 1,
      repairs: [
        {
          ...{ kind: 'root_name_server', count: 3, line: 2, text: '.' },
          message: 'The root cannot be a name server: the NS record was left out. Name a host.',
        },
      ],
    });
    expect(await stored()).toEqual([`sub.${zone.name} NS ns.example.net.`]);
  });

  it('15.8 is refused by the other operations', async () => {
    const { status } = await zone.create({ name: `sub.${zone.name}`, type: 'NS', data: '.' });
    expect(status).toBe(400);
  });
});

describe('names that a DNAME or a delegation hides', () => {
  const DNAME = 'd 300 DNAME example.net.\n';

  it('15.3 are left out below the DNAME, before and behind it', async () => {
    const file = `${SOA}a.d 300 A 192.0.2.1\n${DNAME}d 300 A 192.0.2.2\nb.c.D 300 TXT x\n*.d 300 NS ns1\ndd 300 A 192.0.2.3\n`;
    expect(await zone.import(file)).toMatchObject({
      ...{ created: 3, skipped: 1 },
      repairs: [
        {
          ...{ kind: 'below_dname', count: 3, line: 2, text: `a.d.${zone.name}` },
          message: '3 records below DNAMEs were left out: the DNAMEs hide them.',
        },
      ],
    });
    expect(await stored()).toEqual([
      `d.${zone.name} A 192.0.2.2`,
      `d.${zone.name} DNAME example.net.`,
      `dd.${zone.name} A 192.0.2.3`,
    ]);
  });

  it('15.3 are left out where $GENERATE makes the names or the DNAME', async () => {
    const file = '$GENERATE 1-3 d$ 300 DNAME example.net.\n$GENERATE 2-4 a.d$ 300 A 192.0.2.$\n';
    expect(await zone.import(file)).toMatchObject({
      created: 4,
      repairs: [{ kind: 'below_dname', count: 2, line: 2, text: `a.d2.${zone.name}` }],
    });
  });

  it('15.3 are left out below a DNAME at the apex, and of DNAMEs below another the upper one stays', async () => {
    const file = `www 300 A 192.0.2.1\n@ 300 DNAME example.net.\n@ 300 NS ns.example.net.\n${DNAME}`;
    expect(await zone.import(file)).toMatchObject({
      created: 2,
      repairs: [{ kind: 'below_dname', count: 2, line: 1 }],
    });
    const { name } = zone;
    expect(await stored()).toEqual([`${name} DNAME example.net.`, `${name} NS ns.example.net.`]);
  });

  it('15.3 are a DNAME next to NS, not its glue', async () => {
    const file = `${DNAME}d 300 NS ns.d\nns.d 300 A 192.0.2.1\n`;
    expect(await zone.import(file)).toMatchObject({
      created: 2,
      repairs: [
        {
          ...{ kind: 'delegated_dname', count: 1, line: 1, text: `d.${zone.name}` },
          message: 'A DNAME beside NS was left out: the delegation hides it.',
        },
      ],
    });
    expect(await stored()).toEqual([`d.${zone.name} NS ns.d.${zone.name}`, `ns.d.${zone.name} A 192.0.2.1`]);
  });

  it('15.3 are removed from the domain by a replacement, and an error of a merge', async () => {
    await zone.import('a.d 300 A 192.0.2.1\n');
    expect(await zone.refuse(DNAME)).toEqual([expect.stringMatching(/^1:1 .*DNAME/)]);
    const file = `${DNAME}a.d 300 A 192.0.2.1\n`;
    expect(await zone.import(file, '?mode=replace')).toMatchObject({ created: 1, removed: 1 });
    expect(await stored()).toEqual([`d.${zone.name} DNAME example.net.`]);
    expect(await zone.refuse('a.d 300 A 192.0.2.1\n')).toEqual([expect.stringMatching(/^1:1 .*DNAME/)]);
  });
});
