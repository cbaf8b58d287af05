import { expect, it, jest } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { LoopbackDns, type Says } from '../support/loopback-dns.js';
import { authoritative, type LiveCheck, PARENT, referral } from '../support/live-world.js';
import { itAtPort53, ownAddresses } from '../support/parent-servers.js';
import type { Client } from '../support/service.js';
import { executeIn } from '../support/stored.js';
import { until } from '../support/until.js';
import { violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const TENANTS = inForm(4, 8);
/** Checks of each attacker; 2 of a tenant run at a time. */
const CHECKS = inForm(12, 100);
const TARGETS = 100;
/** Milliseconds for the check of another tenant; a second without an attack. */
const LONGEST_DELAY = 10_000;
/** Queries of one tenant that the victim may get in a second (rule 27.2), with room for the pace of the machine. */
const MOST_QUERIES_A_SECOND = 100;
const TIME_LIMIT_S = 5;

const path = ({ id }: TestDomain): string => `/v1/domains/${id}/live-check`;

itAtPort53()(
  '27.2 checks of silent, flooding and endless names use no one as a target, and slow down no one',
  async () => {
    const [parent = '', sound = '', victim = ''] = ownAddresses(3);
    const at = (name: string, address: string) => ({ answers: [`${name} A ${address}`] });
    const flood = Array.from({ length: 2000 }, (_, one) => `other${one}.example. A 192.0.2.1`);
    const says: Says = (name, type) => {
      if (name === PARENT && type === 'SOA') return { answers: [`${PARENT} SOA ns.${PARENT} h.${PARENT} 1 2 3 4 5`] };
      if (name === PARENT && type === 'NS') return { answers: [`${PARENT} NS ns.${PARENT}`] };
      if (name === `ns.${PARENT}`) return type === 'A' ? at(name, parent) : {};
      if (name.startsWith('silent')) return null;
      if (name.startsWith('flood')) return { answers: flood };
      if (name.endsWith('.victim.example.')) return type === 'A' ? at(name, victim) : {};
      if (name.endsWith('.sound.example.')) return type === 'A' ? at(name, sound) : {};
      return { rcode: 3 };
    };
    const resolver = await LoopbackDns.start({ address: '127.0.0.1', port: 0 }, says);
    const servers = [
      await LoopbackDns.start({ address: parent, port: 53 }, (name, type) =>
        referral([name.startsWith('good') ? 'ns1.sound.example.' : 'ns1.victim.example.'])(name, type, 'TCP'),
      ),
      await LoopbackDns.start({ address: sound, port: 53 }, (name, type) => authoritative(name, 1)(name, type, 'TCP')),
      await LoopbackDns.start({ address: victim, port: 53 }, () => null),
    ];
    const queries = (): number => servers[2]!.asked.length;
    try {
      const violations = await violationsUnder<readonly (readonly [Client, readonly TestDomain[]])[]>({
        name: 'live checks of several tenants',
        settings: {
          ...unlimitedChanges(),
          SERVICE_CENTRAL__NAME_SERVERS: 'ns1.sound.example.',
          SERVICE_LIVE_CHECKS__RESOLVER: resolver.address,
          SERVICE_LIVE_CHECKS__ALLOWED_NETWORKS: '127.0.0.0/8',
          SERVICE_LIVE_CHECKS__TIME_LIMIT: String(TIME_LIMIT_S),
        },
        prepare: ({ clients }) =>
          Promise.all(
            Array.from({ length: TENANTS }, async (_, tenant) => {
              const client = clients.as(`mallory${tenant}`);
              const domains: TestDomain[] = [];
              for (const kind of ['silent', 'flood']) {
                const domain = await newDomain(client, `${kind}${tenant}.${PARENT}`);
                const lines = Array.from({ length: TARGETS }, (__, one) => `n${one} CNAME ${kind}${one}.x.example.`);
                await domain.import(`${lines.join('\n')}\n`);
                domains.push(domain);
              }
              return [client, domains] as const;
            }),
          ),
        run: async (target, attackers) => {
          const other = target.clients.as('other');
          const own = await newDomain(other, `good.${PARENT}`);
          const statuses = new Set<number>();
          const began = performance.now();
          const attacks = attackers.map(async ([client, domains]) => {
            for (let one = 0; one < CHECKS && !target.signal.aborted; one += 2)
              await Promise.all(
                [...domains, domains[0]!].map(async (domain) =>
                  statuses.add((await client.call('get', path(domain))).status),
                ),
              );
          });
          const times: number[] = [];
          for (let round = 0; round < inForm(3, 10) && !target.signal.aborted; round += 1) {
            const since = performance.now();
            const check = await bodyOf<LiveCheck>(other.call('get', path(own)));
            times.push(performance.now() - since);
            const kinds = check.findings.map(({ kind }) => kind);
            target.must(
              check.complete && !kinds.includes('server_silent'),
              `the check of another tenant: ${kinds.join(', ')}`,
            );
          }
          target.mustTake(Math.max(...times), LONGEST_DELAY, 'another tenant waited too long');
          await Promise.all(attacks);
          const seconds = (performance.now() - began) / 1000;
          target.note({ slowest: Math.max(...times), queries: queries(), asked: resolver.asked.length, seconds });
          target.must(statuses.has(503), 'checks of one tenant are not bounded');
          target.must(
            [...statuses].every((status) => status === 200 || status === 503),
            `statuses ${[...statuses].join(', ')}`,
          );
          target.must(
            queries() <= MOST_QUERIES_A_SECOND * TENANTS * seconds,
            `${queries()} queries went to the victim`,
          );
          target.must(
            resolver.asked.length <= MOST_QUERIES_A_SECOND * (TENANTS + 1) * seconds,
            `${resolver.asked.length} queries went to the resolver in ${seconds} s`,
          );
        },
      });
      expect(violations).toEqual([]);
    } finally {
      for (const server of [...servers, resolver]) await server.stop();
    }
  },
);

const SILENT_ZONES = inForm(40, 200);
const BUDGET = 40;

it('27.13 scheduled checks of a tenant with silent names delay no one, and keep to the budget', async () => {
  const resolver = await LoopbackDns.start({ address: '127.0.0.1', port: 0 }, (name) =>
    name.endsWith('.silent.example.') ? null : { rcode: 3 },
  );
  const makeDue = (database: string, zones: readonly TestDomain[]): void => {
    const rows = zones.map(({ id }) => `('${id}', 1, 0, 0, 0, 0, 0, '[]')`);
    executeIn(
      database,
      'INSERT INTO live_checks (zone_id, next_at, is_complete, queries, errors, warnings, notices, findings)' +
        ` VALUES ${rows.join(', ')} ON CONFLICT (zone_id) DO UPDATE SET next_at = 1`,
    );
  };
  try {
    const violations = await violationsUnder<readonly TestDomain[]>({
      name: 'scheduled live checks of silent names',
      settings: {
        ...unlimitedChanges(),
        DEFAULT__QUOTA_ZONES: String(SILENT_ZONES),
        SERVICE_LIVE_CHECKS__RESOLVER: resolver.address,
        SERVICE_LIVE_CHECKS__TIME_LIMIT: String(TIME_LIMIT_S),
        SERVICE_LIVE_CHECKS__INTERVAL: '3600',
        SERVICE_LIVE_CHECKS__SCHEDULED_QUERIES_PER_SECOND: String(BUDGET),
      },
      prepare: async ({ clients }) => {
        const client = clients.as('mallory');
        const domains: TestDomain[] = [];
        for (let zone = 0; zone < SILENT_ZONES; zone += 1) {
          const domain = await newDomain(client);
          const lines = Array.from({ length: 10 }, (_, one) => `n${one} CNAME n${one}-${zone}.silent.example.`);
          await domain.import(`${lines.join('\n')}\n`);
          domains.push(domain);
        }
        return domains;
      },
      run: async (target, silent) => {
        const other = target.clients.as('other');
        const own = await newDomain(other);
        const last = async (domain: TestDomain, client: Client): Promise<string | null> => {
          const { status, body } = await client.call('get', `${path(domain)}/last`);
          return status === 200 ? (body as { checked_at: string }).checked_at : null;
        };
        makeDue(target.database, silent);
        const began = performance.now();
        await until(() => target.signal.aborted || resolver.asked.length > 0);
        for (let round = 0, before: string | null = null; round < 3 && !target.signal.aborted; round += 1) {
          makeDue(target.database, [own]);
          const since = performance.now();
          await until(async () => target.signal.aborted || (await last(own, other)) !== before);
          before = await last(own, other);
          target.mustTake(performance.now() - since, LONGEST_DELAY, 'the schedule checked another tenant too late');
        }
        const seconds = (performance.now() - began) / 1000;
        target.note({ asked: resolver.asked.length, seconds });
        target.must(
          resolver.asked.length <= BUDGET * (seconds + 1),
          `${resolver.asked.length} queries went to the resolver in ${seconds} s`,
        );
      },
    });
    expect(violations).toEqual([]);
  } finally {
    await resolver.stop();
  }
});
