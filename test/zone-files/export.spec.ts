import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { answerOf } from '../support/answers.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({
    DEFAULT__QUOTA_API_EXPORT_SIZE: '1000000',
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net., ns2.example.net.',
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service, `z${String((zones += 1))}.example.org.`);
});
afterEach(() => audit(service.databaseFile));

let zones = 0;

async function lines(): Promise<string[]> {
  return linesOfExport(await zone.export());
}

describe('the text', () => {
  it('6.5 an empty domain has its SOA and the NS of the service', async () => {
    const { serial } = await zone.now();
    expect(await lines()).toEqual([
      `${zone.name} 3600 SOA ns1.example.net. hostmaster.example.org. ${String(serial)} 3600 600 1209600 3600`,
      `${zone.name} 3600 NS ns1.example.net.`,
      `${zone.name} 3600 NS ns2.example.net.`,
    ]);
    expect(await zone.records()).toEqual([]);
  });

  it('15.6 is text/dns with no-store, and equal for HEAD without its body', async () => {
    const { headers } = await answerOf(zone.fetchFile());
    expect(headers).toMatchObject({ 'content-type': 'text/dns', 'cache-control': 'no-store' });
    const head = await answerOf(service.call('head', `/v1/domains/${zone.id}/export`));
    expect(head.headers['content-type']).toBe('text/dns');
    expect(head.text).toBeFalsy();
  });

  it('7.1 the mailbox of the SOA is the email, its dots escaped', async () => {
    await answerOf(service.call('put', `/v1/domains/${zone.id}`, { email: 'host.master@example.org', ttl: 60 }));
    expect((await lines())[0]).toContain(`${zone.name} 60 SOA ns1.example.net. host\\.master.example.org. `);
  });

  it("6.5 a user's own apex NS records join the set, each once, and leave it again", async () => {
    const { body } = await zone.create({ name: zone.name, type: 'NS', data: 'NS3.example.net.', ttl: 300 });
    await zone.create({ name: zone.name, type: 'NS', data: 'NS1.example.net.' });
    expect((await lines()).slice(1)).toEqual([
      `${zone.name} 300 NS ns1.example.net.`,
      `${zone.name} 300 NS ns2.example.net.`,
      `${zone.name} 300 NS NS3.example.net.`,
    ]);
    await zone.delete(body.id);
    expect((await lines()).slice(1)).toHaveLength(2);
  });

  it('15.6 has all of many records in order, also long ones between short ones', async () => {
    const long = `"${'x'.repeat(255)}" `.repeat(60);
    const labels = Array.from({ length: 1200 }, (_, at) => `h${String(at).padStart(4, '0')}`);
    const dataOf = (at: number): string => (at % 400 === 399 ? `TXT ${long}` : 'A 192.0.2.1');
    await zone.import(labels.map((label, at) => `${label} ${dataOf(at)}\n`).join(''));
    const exported = (await lines()).slice(3).map((line) => line.split(' ', 3));
    expect(exported).toEqual(labels.map((label, at) => [zone.at(label), '3600', at % 400 === 399 ? 'TXT' : 'A']));
  });

  it('15.6 owner names stand in canonical order (RFC 4034 §6.1), each with all its sets', async () => {
    const inOrder = ['@', '*', '-a'.slice(1), 'a.a', 'z.a', 'a-b', 'B', '*.b', '_x.b', 'zz.b', 'b0', 'c'];
    for (const label of inOrder.toReversed()) {
      const name = label === '@' ? zone.name : zone.at(label);
      await zone.create({ name, type: 'TXT', data: label });
      await zone.create({ name, type: 'A', data: '192.0.2.1' });
    }
    const owners = (await lines()).slice(3).map((line) => line.split(' ').slice(0, 3));
    expect(owners).toEqual(
      inOrder.flatMap((label) => {
        const name = label === '@' ? zone.name : zone.at(label);
        return [
          [name, '3600', 'A'],
          [name, '3600', 'TXT'],
        ];
      }),
    );
  });

  it('4.6 a set has one ttl: the smallest that its records carry, else that of the domain', async () => {
    await zone.import('$TTL 3600\nwww 600 A 192.0.2.1\nwww 300 A 192.0.2.2\nwww A 192.0.2.3\nwww AAAA 2001:db8::1\n');
    const ttls = (await lines()).slice(3).map((line) => line.split(' ').slice(1, 3).join(' '));
    expect(ttls).toEqual(['300 A', '300 A', '300 A', '3600 AAAA']);
  });

  it('15.6 any text stays inside its quotes (attack cases 4, 5, 12)', async () => {
    const texts = [
      'foo\\" IN A 192.0.2.6 ; \\"',
      '\\"',
      '\\\\\\"',
      '$INCLUDE /etc/passwd',
      '$ORIGIN other. ) ( ; $GENERATE 1-9',
      'a\\010@ A 192.0.2.6',
      'öäü ☃',
      '\\000\\255',
      '"one" "two ; three"',
    ];
    for (const data of texts) await answerOf(zone.create({ name: zone.at('text'), type: 'TXT', data }));
    const text = await zone.export();
    expect(text).toMatch(/^[ -~\t\n]*$/);
    const written = linesOfExport(text).slice(3);
    expect(written).toHaveLength(texts.length);
    for (const line of written) expect(line).toMatch(/^text\.\S+ 3600 TXT ("([^"\\]|\\.)*" ?)+$/);
    expect(await zone.import(text, '?mode=replace')).toMatchObject({ unchanged: texts.length, created: 0, removed: 0 });
  });
});
