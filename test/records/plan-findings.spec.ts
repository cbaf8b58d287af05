import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { holdsFor, times } from '../support/length.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { startTokenService } from '../support/token-service.js';

interface Finding {
  readonly severity: string;
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

interface PlanBody {
  readonly findings?: readonly Finding[] | null;
}

/** Replaces one record set, relative to the zone; no data: removes it. */
type Replacement = readonly [label: string, type: string, ...data: string[]];

let service: TestService;
let domain: TestDomain;
beforeAll(async () => {
  service = await startTestService({ SERVICE_API__CHANGES_PER_MINUTE: '0', DEFAULT__QUOTA_ZONE_RECORDS: '10000' });
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});

const path = (query: string, { id } = domain): string => `/v1/domains/${id}/changes${query}`;
const nameOf = (label: string): string => (label === '@' ? domain.name : domain.at(label));

function changeOf(replacements: readonly Replacement[]): object {
  const changes = replacements.map(([label, type, ...data]) => ({
    action: 'replace',
    name: nameOf(label),
    type,
    records: data.map((each) => {
      const text = each.replaceAll('~', domain.name);
      const [priority, ...rest] = text.split(' ');
      return type === 'MX' ? { data: rest.join(' '), priority: Number(priority) } : { data: text };
    }),
  }));
  return { changes };
}

async function planned(replacements: readonly Replacement[], by: Client = service): Promise<PlanBody['findings']> {
  const request = by.call('post', path('?dry_run=true&findings=true'), changeOf(replacements));
  return (await bodyOf<PlanBody>(request)).findings;
}

/** `warning @ MX`, the owner relative to the zone. */
const places = (findings: PlanBody['findings']): string[] =>
  (findings ?? []).map(
    ({ severity, name, type }) =>
      `${severity} ${name === domain.name ? '@' : name.slice(0, -domain.name.length - 1)} ${type}`,
  );

async function checked(): Promise<Finding[]> {
  const { errors, warnings } = await domain.check();
  return [
    ...errors.map((finding) => ({ severity: 'error', ...finding })),
    ...warnings.map((finding) => ({ severity: 'warning', ...finding })),
  ];
}

const sorted = (findings: readonly Finding[]): string[] =>
  findings.map(({ severity, name, type, message }) => JSON.stringify({ severity, name, type, message })).sort();

describe('9.6 findings of a plan', () => {
  it.each<[string, string, readonly Replacement[], readonly string[]]>([
    ['nothing of a change without fault', 'www A 192.0.2.1\n', [['mail', 'A', '192.0.2.2']], []],
    ['a target without address', '', [['@', 'MX', '10 mail.~']], ['warning @ MX']],
    ['a target that is an alias', 'mail CNAME www\n', [['@', 'MX', '10 mail.~']], ['warning @ MX']],
    ['a target that loses its address', '@ MX 10 mail\nmail A 192.0.2.1\n', [['mail', 'A']], ['warning @ MX']],
    ['a delegation without glue', '', [['sub', 'NS', 'ns.sub.~']], ['error sub NS']],
    ['records that a delegation hides', 'a.sub TXT x\n', [['sub', 'NS', 'ns.example.net.']], ['warning a.sub TXT']],
    ['an address at a name that is no host name', '', [['a_b', 'A', '192.0.2.1']], ['warning a_b A']],
    ['nothing that was so before', '@ MX 10 mail\n', [['www', 'A', '192.0.2.1']], []],
    [
      'nothing that the change makes good',
      '',
      [
        ['@', 'MX', '10 mail.~'],
        ['mail', 'A', '192.0.2.1'],
      ],
      [],
    ],
  ])('9.6 name %s', async (_, file, replacements, expected) => {
    if (file !== '') await domain.import(file);
    expect(places(await planned(replacements))).toEqual(expected);
  });

  it('9.6 are those that the check finds after the change, but not before', async () => {
    const labels = fc.constantFrom('@', 'mail', 'www', 'sub', 'ns.sub', 'a.sub', '*', 'a_b', 'x.mail');
    const targets = fc.constantFrom('mail.~', 'www.~', 'ns.sub.~', 'a.sub.~', 'x.mail.~', 'none.~', 'www.example.net.');
    const data: Record<string, fc.Arbitrary<string>> = {
      A: fc.constantFrom('192.0.2.1', '192.0.2.2'),
      TXT: fc.constant('"x"'),
      MX: targets.map((target) => `10 ${target}`),
      NS: targets,
      CNAME: targets,
      SRV: targets.map((target) => `1 1 53 ${target}`),
      DS: fc.constant(`1 8 2 ${'ab'.repeat(32)}`),
    };
    const replacement = fc
      .constantFrom(...Object.keys(data))
      .chain((type) =>
        fc
          .tuple(labels, fc.uniqueArray(data[type]!, { maxLength: type === 'CNAME' ? 1 : 2 }))
          .map(([label, values]): Replacement => [label, type, ...values]),
      );
    const set = fc.uniqueArray(replacement, {
      minLength: 1,
      maxLength: 3,
      selector: ([label, type]) => `${label} ${type}`,
    });
    await holdsFor(
      fc.array(set, { minLength: 4, maxLength: 10 }),
      async (sets) => {
        domain = await newDomain(service);
        for (const each of sets) {
          const before = new Set(sorted(await checked()));
          const { status, body } = await service.call('post', path('?dry_run=true&findings=true'), changeOf(each));
          if (status !== 200) continue;
          await answerOf(service.call('post', path(''), changeOf(each)));
          const added = sorted(await checked()).filter((finding) => !before.has(finding));
          expect(sorted((body as PlanBody).findings ?? [])).toEqual(added);
        }
      },
      { numRuns: times(8, 100) },
    );
  });

  it('9.6 also cover a revert', async () => {
    await domain.import('mail A 192.0.2.1\n');
    const { serial } = await domain.now();
    await answerOf(service.call('post', path(''), changeOf([['@', 'MX', '10 mail.~']])));
    await domain.import('@ MX 10 mail\nother A 192.0.2.2\n', '?mode=replace');
    const { serial: later } = await domain.now();
    await answerOf(service.call('post', path(''), changeOf([['mail', 'A', '192.0.2.1']])));
    const revert = (query: string, to: number) =>
      bodyOf<PlanBody>(service.call('post', `/v1/domains/${domain.id}/revert${query}`, { serial: to }));
    expect(places((await revert('?dry_run=true&findings=true', later)).findings)).toEqual(['warning @ MX']);
    expect((await revert('?dry_run=true&findings=true', serial)).findings).toEqual([]);
    expect(await revert('?dry_run=true', later)).not.toHaveProperty('findings');
  });

  it('9.6 are listed where they are asked for, and with a dry run alone', async () => {
    const change = changeOf([['@', 'MX', '10 mail.~']]);
    expect(await bodyOf(service.call('post', path('?dry_run=true'), change))).not.toHaveProperty('findings');
    await refusalOf(service.call('post', path('?findings=true'), change), 400, 'invalid_object');
    await refusalOf(
      service.call('post', `/v1/domains/${domain.id}/revert?findings=true`, { serial: domain.serial }),
      400,
      'invalid_object',
    );
    expect(await bodyOf(service.call('post', path(''), change))).not.toHaveProperty('findings');
  });

  it('9.6 are not looked for in a domain of more than 5,000 records', async () => {
    await domain.import('$GENERATE 1-5000 h$ 300 IN A 192.0.2.1\n');
    expect(await planned([['h1', 'A', '192.0.2.9']])).toEqual([]);
    expect(await planned([['more', 'A', '192.0.2.9']])).toBeNull();
  });

  it('9.6 reveal nothing of the domain to a scoped token', async () => {
    const tokens = await startTokenService();
    const wide = await tokens.newToken();
    domain = await newDomain(wide);
    const scoped = await tokens.newToken({ restrictions: { domains: [domain.name] } });
    expect(places(await planned([['@', 'MX', '10 mail.~']], wide))).toEqual(['warning @ MX']);
    expect(await planned([['@', 'MX', '10 mail.~']], scoped)).toBeNull();
    await tokens.stop();
  });
});
