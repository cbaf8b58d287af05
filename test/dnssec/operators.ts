import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Pool } from '../publishing/pool.js';
import { answerOf, bodyOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { IS_LONG } from '../support/length.js';
import type { NameServerName } from '../support/name-servers/name-servers.js';
import { isInstalled, type Program } from '../support/run-program.js';
import { until } from '../support/until.js';
import { ValidatingResolver } from '../support/validating-resolver.js';

/** TTL of all records in seconds, so that waits are short. */
export const TTL = 1;
/** Milliseconds for one round of questions, on a machine with other work. */
const ROUND_PATIENCE = 5000;
const START_PATIENCE = 60_000;

interface Dnssec {
  readonly state: string;
  readonly waits_for: string | null;
  readonly ds: readonly string[];
  readonly keys: readonly { readonly dnskey: string; readonly signer: string | null }[];
  readonly rollover: { readonly step: string } | null;
}

/** One of two operators: an installation with two name servers. */
export class Operator {
  private constructor(
    readonly pool: Pool,
    readonly directory: string,
  ) {}

  /** @param programs starts no name servers, and the tests are skipped, when one is missing */
  static async start(servers: readonly NameServerName[], programs: Program): Promise<Operator> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const settings = { SERVICE_CENTRAL__SOA_MINIMUM: '1', ...DNSSEC_ON };
    const present = isInstalled(programs) ? servers : [];
    return new Operator(await Pool.start({ directory, servers: present, settings }), directory);
  }

  get addresses(): string[] {
    return this.pool.servers.map(({ port }) => `127.0.0.1@${port}`);
  }

  /** A domain with records for all questions. */
  async newDomain(name: string): Promise<TestDomain> {
    const domain = await newDomain(this.pool.clients, name, { ttl: TTL });
    await domain.import('www A 192.0.2.1\n*.wild TXT x\n');
    return domain;
  }

  async sign(domain: TestDomain): Promise<void> {
    await this.pool.syncNsd();
    await answerOf(
      this.pool.clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true, single_key: false }),
    );
    await until(async () => ['ready', 'secure'].includes((await this.dnssecOf(domain)).state));
  }

  async untilSecure(domain: TestDomain): Promise<void> {
    await until(async () => (await this.dnssecOf(domain)).state === 'secure');
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

  /** kill -9 when the rollover has that step. */
  async killIn(domain: TestDomain, step: string): Promise<void> {
    await until(async () => (await this.dnssecOf(domain)).rollover?.step === step);
    await this.pool.killService();
    await this.pool.startService();
  }

  /** Says so as soon as the rollover waits for it, since this operator cannot look at the parent. */
  async confirmDs(domain: TestDomain): Promise<void> {
    await until(async () => (await this.dnssecOf(domain)).waits_for?.startsWith('the parent zone') === true);
    const path = `/v1/domains/${domain.id}/dnssec/parent`;
    await answerOf(this.pool.clients.call('post', path, { ds: 'published', ttl: TTL }));
  }

  async untilOver(domain: TestDomain): Promise<void> {
    await until(async () => (await this.dnssecOf(domain)).rollover === null);
  }
}

/** The number of DS records of the child in the parent zone. */
export async function dsCountOf(parent: TestDomain, child: TestDomain): Promise<number> {
  const { body } = await answerOf(parent.list(`?type=DS&name=${child.name}`));
  return (body as { records: RecordBody[] }).records.length;
}

/** `#` is the number of the round: no cache has that name. */
const QUESTIONS = [
  ['', 'SOA'],
  ['', 'DNSKEY'],
  ['www.', 'A'],
  ['www.', 'MX'],
  ['none#.', 'A'],
  ['any#.wild.', 'TXT'],
] as const;

/** Asks without a break, and counts the verdicts. */
class Watch {
  readonly counts = { secure: 0, insecure: 0, bogus: 0, unanswered: 0 };
  readonly faults: string[] = [];
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
    await until(() => this.counts.secure >= wanted, START_PATIENCE + count * ROUND_PATIENCE);
  }

  async end(): Promise<void> {
    this.over.abort();
    await this.asking;
  }

  private async ask(): Promise<void> {
    for (let round = 0; !this.over.signal.aborted; round += 1)
      for (const [labels, type] of QUESTIONS) {
        const name = labels.replace('#', String(round)) + this.child.name;
        const verdict = await this.resolver.verdictOn(name, type);
        const isJudged = verdict === 'secure' || verdict === 'insecure' || verdict === 'bogus';
        this.counts[isJudged ? verdict : 'unanswered'] += 1;
        if (isJudged && verdict !== 'secure')
          this.faults.push(`${verdict} ${name} ${type}: ${this.resolver.log.slice(-1000)}`);
      }
  }
}

/** Resolvers that trust the parent zone, each with other name servers of the child. */
export class Resolvers {
  private readonly started: ValidatingResolver[] = [];
  private readonly watches: Watch[] = [];

  private constructor(
    private readonly operator: Operator,
    private readonly zones: readonly string[],
    private readonly child: TestDomain,
    private readonly anchor: string,
  ) {}

  /** @param operator has the parent zone */
  static async of(operator: Operator, parent: TestDomain, child: TestDomain): Promise<Resolvers> {
    const [ds = ''] = (await operator.dnssecOf(parent)).ds;
    const zones = [parent, child].map(({ name }) => name.slice(0, -1));
    return new Resolvers(operator, zones, child, `${parent.name} IN DS ${ds}`);
  }

  async start(servers: readonly string[], anchor = this.anchor): Promise<ValidatingResolver> {
    const { directory, addresses } = this.operator;
    const place = { directory, zones: this.zones, servers: addresses, serversOf: { [this.zones[1]!]: servers } };
    // A bogus answer counts, though another name server might give a better one.
    const resolver = await ValidatingResolver.start({ ...place, anchor, retries: 0 });
    this.started.push(resolver);
    return resolver;
  }

  async watch(servers: readonly string[]): Promise<Watch> {
    const watch = new Watch(await this.start(servers), this.child);
    this.watches.push(watch);
    return watch;
  }

  async stop(): Promise<void> {
    await Promise.all(this.watches.map((watch) => watch.end()));
    await Promise.all(this.started.map((resolver) => resolver.stop()));
  }

  /** No answer was bogus, and none lacked its signatures. */
  expectSecure(title: string): void {
    expect(this.watches.flatMap(({ faults }) => faults)).toEqual([]);
    const counts = this.watches.map((watch) => watch.counts);
    if (IS_LONG) process.stderr.write(`${title}: ${JSON.stringify(counts)}\n`);
    expect(counts.filter(({ secure }) => secure === 0)).toEqual([]);
  }
}
