import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Pool } from '../publishing/pool.js';
import { FOUR_SERVERS } from '../publishing/software.js';
import { answerOf, bodyOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { IS_LONG, times } from '../support/length.js';
import type { NameServerName } from '../support/name-servers/name-servers.js';
import { itWith, missingPackages } from '../support/run-program.js';
import { until } from '../support/until.js';
import { UNBOUND, ValidatingResolver } from '../support/validating-resolver.js';

const PROGRAMS = { name: 'unbound', needs: { ...FOUR_SERVERS.needs, ...UNBOUND.needs } };
const TIMEOUT = 600_000;
/** TTL of all records in seconds, so that waits are short. */
const TTL = 1;
/** Questions to each resolver while both sign, at least. */
const ROUNDS = times(10, 300);

interface Dnssec {
  readonly state: string;
  readonly waits_for: string | null;
  readonly ds: readonly string[];
  readonly keys: readonly { readonly dnskey: string; readonly signer: string | null }[];
  readonly rollover: { readonly step: string } | null;
}

/** One of two operators: an installation with two name servers. */
class Operator {
  private constructor(
    readonly pool: Pool,
    readonly directory: string,
  ) {}

  static async start(servers: readonly NameServerName[]): Promise<Operator> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const settings = { SERVICE_CENTRAL__SOA_MINIMUM: '1', ...DNSSEC_ON };
    const present = missingPackages(PROGRAMS.needs).length > 0 ? [] : servers;
    return new Operator(await Pool.start({ directory, servers: present, settings }), directory);
  }

  get addresses(): string[] {
    return this.pool.servers.map(({ port }) => `127.0.0.1@${port}`);
  }

  async sign(domain: TestDomain): Promise<void> {
    await this.pool.syncNsd();
    await answerOf(
      this.pool.clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true, single_key: false }),
    );
    await until(async () => ['ready', 'secure'].includes((await this.dnssecOf(domain)).state));
  }

  dnssecOf({ id }: TestDomain): Promise<Dnssec> {
    return bodyOf<Dnssec>(this.pool.clients.call('get', `/v1/domains/${id}/dnssec`));
  }

  async ownKeys(domain: TestDomain): Promise<string[]> {
    const { keys } = await this.dnssecOf(domain);
    return keys.filter(({ signer }) => signer === null).map(({ dnskey }) => dnskey);
  }

  async roll({ id }: TestDomain, body: object): Promise<void> {
    await answerOf(this.pool.clients.call('post', `/v1/domains/${id}/dnssec/rollovers`, body));
  }

  /** Says so as soon as the rollover waits for it, since this operator cannot look at the parent. */
  async confirmDs(domain: TestDomain): Promise<void> {
    await until(async () => (await this.dnssecOf(domain)).waits_for?.startsWith('the parent zone') === true);
    const path = `/v1/domains/${domain.id}/dnssec/parent`;
    await answerOf(this.pool.clients.call('post', path, { ds: 'published', ttl: TTL }));
  }

  async isOver(domain: TestDomain): Promise<void> {
    await until(async () => (await this.dnssecOf(domain)).rollover === null);
  }
}

let here: Operator;
let there: Operator;
beforeAll(async () => {
  [here, there] = await Promise.all([Operator.start(['BIND', 'Knot']), Operator.start(['PowerDNS', 'NSD'])]);
});
afterAll(async () => {
  await Promise.all([here.pool.stop(), there.pool.stop()]);
});

/** Asks without a break, and counts the verdicts. */
class Watch {
  readonly counts = { secure: 0, bogus: 0, other: 0 };
  readonly bogus: string[] = [];
  private readonly over = new AbortController();
  private readonly asking: Promise<void>;

  constructor(
    private readonly resolver: ValidatingResolver,
    private readonly child: TestDomain,
  ) {
    this.asking = this.ask();
  }

  async rounds(count: number): Promise<void> {
    const wanted = this.counts.secure + count * QUESTIONS.length;
    await until(() => Promise.resolve(this.counts.secure >= wanted));
  }

  async end(): Promise<void> {
    this.over.abort();
    await this.asking;
  }

  private async ask(): Promise<void> {
    while (!this.over.signal.aborted)
      for (const [label, type] of QUESTIONS) {
        const name = label === '' ? this.child.name : this.child.at(label);
        const verdict = await this.resolver.verdictOn(name, type);
        if (verdict === 'bogus') this.bogus.push(`${name} ${type}: ${this.resolver.log.slice(-1000)}`);
        this.counts[verdict === 'secure' || verdict === 'bogus' ? verdict : 'other'] += 1;
      }
  }
}

const QUESTIONS = [
  ['', 'SOA'],
  ['', 'DNSKEY'],
  ['www', 'A'],
  ['www', 'MX'],
  ['none', 'A'],
  ['any.wild', 'TXT'],
] as const;

itWith(PROGRAMS)(
  '23.18: two operators sign one domain, and unbound finds no answer bogus, whichever of them answers',
  async () => {
    const name = freshName();
    const parent = await newDomain(here.pool.clients, name, { ttl: TTL });
    const [ours, theirs] = await Promise.all(
      [here, there].map(({ pool }) => newDomain(pool.clients, `child.${name}`, { ttl: TTL })),
    );
    await parent.newRecord({ name: ours!.name, type: 'NS', data: 'ns1.example.net.' });
    for (const child of [ours!, theirs!]) await child.import('www A 192.0.2.1\n*.wild TXT x\n');
    await Promise.all([here.sign(parent), here.sign(ours!), there.sign(theirs!)]);
    await until(async () => (await here.dnssecOf(ours!)).state === 'secure');

    const [ds = ''] = (await here.dnssecOf(parent)).ds;
    const plan = { directory: here.directory, anchor: `${parent.name} IN DS ${ds}` };
    const zones = [parent, ours!].map((domain) => domain.name.slice(0, -1));
    const resolverOf = (servers: readonly string[]): Promise<ValidatingResolver> =>
      ValidatingResolver.start({ ...plan, zones, servers: here.addresses, serversOf: { [zones[1]!]: servers } });
    const resolvers: ValidatingResolver[] = [];
    const watches: Watch[] = [];
    const watch = async (servers: readonly string[]): Promise<Watch> => {
      const resolver = await resolverOf(servers);
      resolvers.push(resolver);
      watches.push(new Watch(resolver, ours!));
      return watches.at(-1)!;
    };
    try {
      const first = await watch(here.addresses);
      await first.rounds(1);
      // No DS leads to the keys of the other operator yet.
      const early = await resolverOf(there.addresses);
      resolvers.push(early);
      expect(await early.verdictOn(ours!.at('www'), 'A')).toBe('bogus');

      await here.roll(ours!, { key: 'join', signer: 'there', dnskeys: await there.ownKeys(theirs!) });
      await there.roll(theirs!, { key: 'join', signer: 'here', dnskeys: await here.ownKeys(ours!) });
      await here.pool.killService();
      await here.pool.startService();
      await here.isOver(ours!);
      await there.confirmDs(theirs!);
      await there.isOver(theirs!);
      const joined = [await watch([...here.addresses, ...there.addresses]), await watch(there.addresses)];
      await Promise.all(joined.map((one) => one.rounds(ROUNDS)));

      // The domain moves to the other operator: no resolver asks here any more, and the keys of here leave there.
      await first.end();
      await joined[0]!.end();
      await there.roll(theirs!, { key: 'leave', signer: 'here', ttl: 5 });
      await answerOf(here.pool.clients.call('delete', `/v1/domains/${ours!.id}?force=true`));
      await until(async () => (await dsOf(parent, theirs!)) === 1);
      await there.confirmDs(theirs!);
      await there.isOver(theirs!);
      await joined[1]!.rounds(2);
      expect(await there.ownKeys(theirs!)).toHaveLength((await there.dnssecOf(theirs!)).keys.length);
    } finally {
      await Promise.all(watches.map((one) => one.end()));
      await Promise.all(resolvers.map((resolver) => resolver.stop()));
    }
    expect(watches.flatMap(({ bogus }) => bogus)).toEqual([]);
    if (IS_LONG) process.stderr.write(`${JSON.stringify(watches.map(({ counts }) => counts))}\n`);
    expect(watches.map(({ counts }) => counts.secure > 0)).toEqual([true, true, true]);
  },
  TIMEOUT,
);

async function dsOf(parent: TestDomain, child: TestDomain): Promise<number> {
  const { body } = await answerOf(parent.list(`?type=DS&name=${child.name}`));
  return (body as { records: RecordBody[] }).records.length;
}
