import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mailboxName, mailboxOf } from '../../src/dns/mailbox.js';
import { answerOf, bodyOf, expectStatus } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName, linesOfExport } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import { PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import type { ZoneBody } from '../support/v2.js';

let service: TestService;
let powerdns: PowerDnsClient;
let kept: { readonly one: string; readonly two: string; readonly three: string };

beforeAll(async () => {
  service = await startTestService(WITH_POWERDNS);
  powerdns = new PowerDnsClient(service);
  const [one, two] = await Promise.all([makeByVersion1('first@example.org'), makeByVersion2('first@example.org')]);
  kept = { one: one.body.id, two: two.body.id, three: (await powerdns.newZone()).id };
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

interface TaskBody {
  readonly status: string;
  readonly zone_id: string | null;
  readonly message: string;
}

const makeByVersion1 = (email: unknown) => service.call('post', '/v1/domains', { name: freshName(), email });
const makeByVersion2 = (email: unknown) => service.call('post', '/v2/zones', { name: freshName(), email });

/** The SOA as a zone file has it for a mailbox name. */
function soaOf(name: string, rname: string): string {
  return `${name} 3600 IN SOA ns1.example.net. ${rname} 1 3600 600 1209600 3600\n`;
}

/** The mailbox of a zone that is imported, `null` where the import is refused for it. */
async function importedEmail(rname: string): Promise<string | null> {
  const name = freshName();
  const request = service.call('post', '/v2/zones/tasks/imports').set('Content-Type', 'text/dns');
  const { id } = await bodyOf<{ id: string }>(request.send(soaOf(name, rname)), 202);
  const now = (): Promise<TaskBody> => bodyOf<TaskBody>(service.call('get', `/v2/zones/tasks/imports/${id}`));
  await until(async () => (await now()).status !== 'PENDING');
  const { zone_id: zoneId, message } = await now();
  if (zoneId !== null) return (await bodyOf<ZoneBody>(service.call('get', `/v2/zones/${zoneId}`))).email;
  expect(message).toMatch(/email/);
  return null;
}

/** The mailbox name of the SOA that a zone is exported with. */
async function servedName(id: string): Promise<string> {
  const { text } = await answerOf(service.call('get', `/v1/domains/${id}/export`));
  const soa = linesOfExport(text).find((line) => line.includes(' SOA '));
  return soa?.split(' ')[4] ?? '';
}

const atom = fc
  .array(fc.constantFrom(..."abzAZ09!#$%&'*+-/=?^_`{|}~"), { minLength: 1, maxLength: 8 })
  .map((characters) => characters.join(''));
const localPart = fc.array(atom, { minLength: 1, maxLength: 5 }).map((atoms) => atoms.join('.'));
const host = fc.constantFrom('example.org', 'mail_1.example.org', 'localhost', '_dmarc.example.org', 'a-b.c1');
const mailbox = fc.tuple(localPart, host).map(([local, name]) => `${local}@${name}`);

const SOUND = [
  'john+dns@example.org',
  "o'brien@example.org",
  'a/b@example.org',
  'a&b@example.org',
  'first.last.name@example.org',
  'hostmaster@localhost',
  `${'a'.repeat(63)}@example.org`,
];
const FAULTY = [
  'hostmaster',
  '@example.org',
  'a@b@example.org',
  'a..b@example.org',
  '.a@example.org',
  'a.@example.org',
  '"a b"@example.org',
  'a b@example.org',
  'a,b@example.org',
  'a@example.org.',
  'a@exam ple.org',
  'a@-',
  'grüße@example.org',
  'a@grüße.example',
  `${'a'.repeat(64)}@example.org`,
];

describe('mailboxes of zones', () => {
  it.each(SOUND)('7.1 every interface takes %s and shows it as it was sent', async (email) => {
    const made = [await answerOf(makeByVersion1(email)), await answerOf(makeByVersion2(email), 202)];
    expect(made.map(({ body }) => (body as ZoneBody).email)).toEqual([email, email]);
    expect(await importedEmail(mailboxName(email).toString())).toBe(email);
  });

  it.each(FAULTY)('7.1 every interface refuses %s, and explains mailboxes', async (email) => {
    for (const [method, path] of [
      ['post', '/v1/domains'],
      ['put', `/v1/domains/${kept.one}`],
      ['post', '/v2/zones'],
      ['patch', `/v2/zones/${kept.two}`],
    ] as const) {
      const answer = await service.call(method, path, { ...(method === 'post' && { name: freshName() }), email });
      expectStatus(answer, 400);
      expect((answer.body as { type: string }).type).toBe('invalid_object');
      expect(answer.text).toMatch(/email/);
    }
  });

  it.each(['a\\,b', 'a\\ b', '\\"a\\"', 'a\\@b', '\\.a', 'a\\.\\.b', 'a\\233'])(
    '7.1 imports and the PowerDNS API refuse the mailbox name %s.example.org. as the other interfaces do',
    async (label) => {
      const rname = `${label}.example.org.`;
      expect(await importedEmail(rname)).toBeNull();
      const { name, id } = await powerdns.newZone();
      const [soa] = (await powerdns.rrset(id, name, 'SOA'))?.records ?? [];
      const content = soa?.content.replace(/^(\S+) \S+/, `$1 ${rname}`) ?? '';
      expect(await powerdns.refusal('patch', `/zones/${id}`, { rrsets: [replaced(name, 'SOA', [content])] })).toMatch(
        /email/,
      );
    },
  );

  const makeRoundTrip = async (email: string): Promise<void> => {
    expect(mailboxOf(mailboxName(email))).toBe(email);
    const one = await bodyOf<DomainBody>(service.call('put', `/v1/domains/${kept.one}`, { email }));
    expect(one.email).toBe(email);
    const read = await bodyOf<ZoneBody>(service.call('get', `/v2/zones/${kept.one}`));
    const back = { email: read.email, ttl: read.ttl, description: read.description };
    const two = await bodyOf<ZoneBody>(service.call('patch', `/v2/zones/${kept.one}`, back), 202);
    expect([two.email, two.serial]).toEqual([email, one.serial]);
    expect(await servedName(kept.one)).toBe(mailboxName(email).toString());
    const { name } = await powerdns.zone(kept.three);
    const [soa] = (await powerdns.rrset(kept.three, name, 'SOA'))?.records ?? [];
    const content = soa?.content.replace(
      /^(\S+) \S+/,
      () => `${soa.content.split(' ')[0]} ${mailboxName(email).toString()}`,
    );
    await powerdns.patch(kept.three, replaced(name, 'SOA', [content ?? ''], { ttl: 3600 }));
    const domain = await bodyOf<{ domains: DomainBody[] }>(service.call('get', `/v1/domains?name=${name}`));
    expect(domain.domains.map((found) => found.email)).toEqual([email]);
  };

  it('7.1 a mailbox makes the round trip through every interface, escapes included', () =>
    holdsFor(mailbox, makeRoundTrip, { numRuns: times(40, 1000) }));

  it('7.1 a mailbox may have an asterisk as its local part', () => makeRoundTrip('*@example.org'));
});
