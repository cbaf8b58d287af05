import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scoped } from '../../src/auth/scopes/token-scope.js';
import { assertMayChangeRecords, assertMayChangeZone, mayComeFrom, maySee } from '../../src/auth/policy.js';
import { type Action, type Restrictions, UNRESTRICTED } from '../../src/common/caller.js';
import { ServiceError } from '../../src/common/service-error.js';
import { DomainName } from '../../src/dns/name.js';
import { bodyOf } from '../support/answers.js';
import { contentsOf } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

const ACTIONS = ['create', 'update', 'delete'] as const;
const TYPES = ['A', 'AAAA', 'TXT'] as const;
const LABELS = ['a', 'b', 'a.b', '_acme-challenge', '_acme-challenge.a', '*.b'] as const;
const PATTERNS = ['*', 'a*', 'a.*', '_acme-challenge.*', '*b.*', '*.b.*', 'b*', '*a*'] as const;
const NETWORKS = ['127.0.0.0/8', '127.0.0.1', '0.0.0.0/0', '192.0.2.0/24', '::/0', '2001:db8::/32'] as const;
const ADDRESSES = ['127.0.0.1', '::ffff:127.0.0.1', '192.0.2.9', '2001:db8::1', '198.51.100.1'] as const;

const someOf = <T>(entries: readonly T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...entries), { minLength: 1, maxLength: 3 }), { nil: undefined });
const askedOf = (domains: readonly string[]) =>
  fc.record({
    domains: someOf(domains),
    names: someOf(PATTERNS),
    types: someOf(TYPES),
    actions: someOf(ACTIONS),
    networks: someOf(NETWORKS),
  });

describe('14.2 a narrower token', () => {
  const DOMAINS = ['one.example.', 'a.one.example.', 'two.example.'] as const;
  const deed = fc.record({
    action: fc.constantFrom(...ACTIONS, null),
    label: fc.constantFrom(...LABELS),
    type: fc.constantFrom(...TYPES),
    domain: fc.constantFrom(...DOMAINS),
    address: fc.constantFrom(...ADDRESSES),
  });

  it('14.2 (attack case 55) may do nothing that the wider may not', () => {
    fc.assert(
      fc.property(askedOf(DOMAINS), askedOf(DOMAINS), fc.array(deed, { minLength: 5 }), (first, second, deeds) => {
        const wider = scoped(UNRESTRICTED, first);
        const narrower = narrowerThan(wider, second);
        return (
          narrower === null ||
          deeds.every((one) => mayAll(narrower, one).every((may, at) => !may || mayAll(wider, one)[at]))
        );
      }),
      { numRuns: 2000 },
    );
  });

  /** `null` where it is refused as wider. */
  function narrowerThan(wider: Restrictions, asked: Parameters<typeof scoped>[1]): Restrictions | null {
    try {
      return scoped(wider, asked);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'forbidden') return null;
      throw error;
    }
  }

  function mayAll(
    restrictions: Restrictions,
    {
      action,
      label,
      type,
      domain,
      address,
    }: { action: Action | null; label: string; type: string; domain: string; address: string },
  ): boolean[] {
    const caller = {
      tenantId: 't',
      roles: ['member'],
      allTenants: false,
      tokenId: null,
      user: null,
      requestId: '',
      restrictions,
    };
    const zone = { tenantId: 't', nameKey: DomainName.parse(domain).key };
    const set = { ownerKey: DomainName.parse(`${label}.${domain}`).key, type };
    return [
      maySee(caller, zone),
      mayComeFrom(caller, address),
      !throws(() => assertMayChangeRecords(caller, action, set)),
      !throws(() => assertMayChangeZone(caller, action, zone)),
    ];
  }

  function throws(work: () => void): boolean {
    try {
      work();
      return false;
    } catch {
      return true;
    }
  }
});

describe('14.2 a narrower token, asked through the service', () => {
  let service: TokenService;
  let root: TokenClient;
  let domains: TestDomain[];
  beforeAll(async () => {
    service = await startTokenService();
    root = await service.newToken();
    domains = [await newDomain(root), await newDomain(root)];
    for (const domain of domains)
      for (const label of LABELS)
        for (const [type, data] of [
          ['A', '192.0.2.1'],
          ['TXT', 'x'],
        ])
          await domain.newRecord({ name: domain.at(label), type, data });
  });
  afterAll(() => service.stop());

  async function childOf(holder: TokenClient, asked: object): Promise<TokenClient | null> {
    const { status, body } = await holder.call('post', '/v1/tokens', asked);
    return status === 200 ? service.holding(body.token, body.id) : null;
  }

  it('14.2 (attack cases 52, 55) is refused by every write route wherever the wider token is refused', async () => {
    const entry = fc.record({
      action: fc.constantFrom(...ACTIONS, 'replace', 'import', 'import new'),
      label: fc.constantFrom(...LABELS),
      type: fc.constantFrom('A', 'TXT'),
      fresh: fc.nat(250),
    });
    const before = contentsOf(service.databaseFile);
    await fc.assert(
      fc.asyncProperty(
        askedOf(domains.map(({ name }) => name)),
        askedOf(domains.map(({ name }) => name)),
        fc.array(entry, { minLength: 3, maxLength: 6 }),
        fc.constantFrom(0, 1),
        async (first, second, entries, which) => {
          const wider = await childOf(root, { ...first, networks: undefined });
          const narrower = wider && (await childOf(wider, { ...second, networks: undefined }));
          if (wider === null || narrower === null) return;
          for (const one of entries) {
            const [mine, others] = [
              await tried(narrower, domains[which]!, one),
              await tried(wider, domains[which]!, one),
            ];
            expect([mine, others, one]).toEqual([mine, mine === 200 ? 200 : others, one]);
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  /** The status of a dry run. */
  async function tried(
    client: TokenClient,
    domain: TestDomain,
    { action, label, type, fresh }: { action: string; label: string; type: string; fresh: number },
  ): Promise<number> {
    const path = `/v1/domains/${domain.id}`;
    const name = domain.at(label);
    const data = type === 'A' ? `192.0.3.${fresh}` : `"text ${fresh}"`;
    if (action === 'import' || action === 'import new') {
      const file = `${action === 'import' ? name : domain.at(`new.${label.replace('*.', '')}`)} 300 ${type} ${data}\n`;
      const answer = await client
        .call('post', `${path}/import?dry_run=true`)
        .set('Content-Type', 'text/dns')
        .send(file);
      return answer.status;
    }
    const { records } = await bodyOf<{ records: { id: string }[] }>(
      root.call('get', `${path}/records?name=${encodeURIComponent(name)}&type=${type}`),
    );
    const change: Record<string, object> = {
      create: { action, record: { name, type, data } },
      update: { action, id: records[0]!.id, record: { data } },
      delete: { action, id: records[0]!.id },
      replace: { action, name, type, records: [{ data }] },
    };
    return (await client.call('post', `${path}/changes?dry_run=true`, { changes: [change[action]] })).status;
  }
});
