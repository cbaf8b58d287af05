import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryDirectories } from '../../support/directory.js';
import { addresses, MemoryZones } from '../../support/memory-zones.js';
import { KEY, startNameServer, type TestNameServer } from '../../support/name-server.js';
import { itWith, type Program, run } from '../../support/run-program.js';

const KDIG: Program = { name: 'kdig', needs: { kdig: 'knot-dnsutils' } };
const DIG: Program = { name: 'dig', needs: { dig: 'bind9-dnsutils' } };
const DRILL: Program = { name: 'drill', needs: { drill: 'ldnsutils' } };

const NAME = 'example.org.';
const RECORDS = addresses(NAME, 3000);
const SECRET = Buffer.from(KEY.secret).toString('base64');
const TSIG = `${KEY.algorithm}:${KEY.name}:${SECRET}`;

const newDirectory = temporaryDirectories();

describe('12.1 programs of others understand', () => {
  const zones = new MemoryZones();
  let server: TestNameServer;
  beforeAll(async () => {
    zones.put(NAME, 100, RECORDS);
    zones.put(NAME, 101, RECORDS.slice(1));
    server = await startNameServer(zones, { access: [{ network: '127.0.0.1', key: KEY.name }] });
  });
  afterAll(() => server.stop());

  async function ask(program: string, ...parameters: string[]): Promise<string> {
    const { stdout, output, failed } = await run(program, parameters);
    if (failed) throw new Error(output);
    return stdout;
  }

  const kdig = (...words: string[]) => ask('kdig', '@127.0.0.1', '-p', String(server.port), ...words);
  const dig = (...words: string[]) => ask('dig', '@127.0.0.1', '-p', String(server.port), ...words);
  const drill = (...words: string[]) => ask('drill', '-p', String(server.port), '@127.0.0.1', ...words);

  for (const [program, query] of [
    [KDIG, kdig],
    [DIG, dig],
  ] as const) {
    itWith(program)(`${program.name}: transfers, whole and as a difference, with every signature`, async () => {
      const whole = linesOf(await query('-y', TSIG, NAME, 'AXFR'));
      expect(whole.filter((line) => /\sA\s/.test(line))).toHaveLength(2999);
      expect(whole.filter((line) => /\sSOA\s/.test(line))).toHaveLength(2);
      for (const transport of ['+tcp', '+notcp']) {
        const difference = linesOf(await query('-y', TSIG, transport, NAME, 'IXFR=100'));
        expect(difference.map((line) => line.split(/\s+/)[3])).toEqual(['SOA', 'SOA', 'A', 'SOA', 'SOA']);
      }
    });

    itWith(program)(`${program.name}: SOA with EDNS and a cookie`, async () => {
      const answer = await query('-y', TSIG, NAME, 'SOA', '+cookie', '+norec');
      expect(answer).toMatch(/hostmaster\.example\.org\. 101 3600 600 86400 300/);
      expect(answer).toMatch(/COOKIE: [0-9a-f]{48}/i);
      expect(answer).toMatch(/flags: qr aa;/i);
      expect(answer).not.toMatch(/WARNING|malformed|verify failure/i);
    });

    itWith(program)(`${program.name}: refusals`, async () => {
      expect(await query(NAME, 'SOA')).toMatch(/status: REFUSED/);
      expect(await query('-y', `${KEY.algorithm}:other.:${SECRET}`, NAME, 'SOA')).toMatch(/BADKEY/i);
    });
  }

  itWith(DIG)('dig: a later version of EDNS, an opcode that is not served, and a cookie that is not ours', async () => {
    expect(await dig(NAME, 'SOA', '+edns=1', '+noednsnegotiation')).toMatch(/status: BADVERS/);
    expect(await dig(NAME, 'SOA', '+opcode=UPDATE')).toMatch(/status: NOTIMP/);
    expect(await dig('-y', TSIG, NAME, 'SOA', '+cookie=0011223344556677')).toMatch(/status: NOERROR/);
  });

  itWith(DIG)('dig: several queries over one connection', async () => {
    const answers = await dig('+tcp', '+keepopen', '-y', TSIG, NAME, 'SOA', '-y', TSIG, NAME, 'SOA', NAME, 'AXFR');
    expect(answers.match(/ 101 3600/g)?.length).toBeGreaterThanOrEqual(4);
  });

  itWith(DRILL)('drill: SOA, and a transfer', async () => {
    const open = await startNameServer(zones);
    try {
      const soa = await ask('drill', '-p', String(open.port), '@127.0.0.1', NAME, 'SOA');
      expect(soa).toMatch(/rcode: NOERROR.*\n.*flags: qr aa/);
      const whole = await ask('drill', '-p', String(open.port), '@127.0.0.1', NAME, 'AXFR');
      expect(linesOf(whole).filter((line) => /\sA\s/.test(line))).toHaveLength(2999);
      expect(await drill(NAME, 'SOA')).toMatch(/rcode: REFUSED/);
    } finally {
      await open.stop();
    }
  });

  itWith(DIG)('dig: a key in a file, as tsig-keygen writes it', async () => {
    const file = join(await newDirectory(), 'key');
    await writeFile(file, `key "${KEY.name}" { algorithm ${KEY.algorithm}; secret "${SECRET}"; };\n`);
    expect(linesOf(await dig('-k', file, NAME, 'AXFR'))).toHaveLength(3001);
  });
});

/** The lines with records of the zone. */
function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line !== '' && !line.startsWith(';') && !line.includes('TSIG'));
}
