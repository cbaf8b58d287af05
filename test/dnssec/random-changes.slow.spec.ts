import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Denial } from '../../src/dns/dnssec/denial.js';
import { Random, seedFrom } from '../crash/random.js';
import { FOUR_SERVERS } from '../publishing/software.js';
import { faultsOf, genericText, JUDGE, quickFaultsOf } from '../support/dnssec-judges.js';
import type { TestDomain } from '../support/domain.js';
import { itWith } from '../support/run-program.js';
import { ownFaultsOf } from './own-check.js';
import { differences, recordsFrom, recordsOn } from './served-records.js';
import { SignedPool } from './signed-pool.js';
import { type ChangeSet, randomChangeSet } from './zone-change-sets.js';

const PROGRAMS = { name: 'a judge of signed zones', needs: { ...FOUR_SERVERS.needs, ...JUDGE.needs } };
/** `npm run test:dnssec` runs hundreds and prints its actions. */
const FEWEST_SETS = 4;
const SETS = Number(process.env.ZONEWRIGHT_DNSSEC_CHANGE_SETS ?? FEWEST_SETS);
const SEED = seedFrom('ZONEWRIGHT_DNSSEC_SEED', SETS > FEWEST_SETS);
/** PowerDNS looks for work once a second: meanwhile others of them change. */
const DOMAINS_AT_ONCE = 4;
/** At length, each domain has other keys: 600 sets are 40 domains, 20 with each denial. */
const SETS_OF_DOMAIN = 30;
const KEYS = [
  { algorithm: 'ECDSAP256SHA256', single_key: true },
  { algorithm: 'ED25519', single_key: false },
  { algorithm: 'RSASHA256', single_key: true },
  { algorithm: 'ECDSAP256SHA256', single_key: false },
  { algorithm: 'ED25519', single_key: true },
  { algorithm: 'RSASHA256', single_key: false },
] as const;
type Keys = (typeof KEYS)[number];
/** One check in this many uses all validators. */
const ALL_JUDGES = 10;

let signed: SignedPool;
beforeAll(async () => {
  signed = await SignedPool.start(PROGRAMS);
});
afterAll(() => signed.stop());

describe.each(['nsec', 'nsec3'] as const)('%s', (denial) => {
  itWith(PROGRAMS)(
    '23.4, 23.6: after random change sets, every name server serves the domain exactly as signed, and no validator finds a fault',
    async () => {
      const figures = { changeSets: 0, refused: 0, sets: 0, comparisons: 0, judged: 0, judgedByAll: 0, faults: 0 };
      const domains = Math.ceil(SETS / SETS_OF_DOMAIN);
      const follow = async (nth: number): Promise<string[]> => {
        const domain = await signed.newDomain();
        const keys = KEYS[(nth + (denial === 'nsec' ? 0 : 1)) % KEYS.length]!;
        const follower = new Follower(domain, { denial, keys }, new Random(SEED + nth), figures);
        return follower.follow(Math.ceil(SETS / domains));
      };
      const faults: string[] = [];
      for (let first = 0; first < domains; first += DOMAINS_AT_ONCE) {
        const several = Array.from({ length: Math.min(DOMAINS_AT_ONCE, domains - first) }, (_, at) =>
          follow(first + at),
        );
        faults.push(...(await Promise.all(several)).flat());
      }
      figures.faults = faults.length;
      if (SETS > FEWEST_SETS) process.stderr.write(`${denial}, seed ${SEED}: ${JSON.stringify(figures)}\n`);
      expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] });
      expect(figures.changeSets).toBeGreaterThanOrEqual(SETS);
    },
    60_000 + SETS * 20_000,
  );
});

type Figures = Record<'changeSets' | 'refused' | 'sets' | 'comparisons' | 'judged' | 'judgedByAll' | 'faults', number>;

/** Changes one domain repeatedly, and compares the copies of all name servers. */
class Follower {
  /** The types at each name that has any. */
  private readonly types = new Map<string, readonly string[]>();

  constructor(
    private readonly domain: TestDomain,
    private readonly form: { readonly denial: Denial; readonly keys: Keys },
    private readonly random: Random,
    private readonly figures: Figures,
  ) {}

  /** @returns the faults after the first faulty change */
  async follow(changeSets: number): Promise<string[]> {
    await signed.sign(this.domain, { denial: this.form.denial, ...this.form.keys });
    for (let done = 0; done < changeSets;) {
      const change = randomChangeSet(this.random);
      if (!(await this.isAccepted(change))) continue;
      done += 1;
      await signed.published(this.domain);
      const faults = await this.look(done % ALL_JUDGES === 0 || done === changeSets);
      if (faults.length > 0)
        return [`${JSON.stringify(this.form)}, after ${done}, ${JSON.stringify(change)}`, ...faults];
    }
    return [];
  }

  private async isAccepted(change: ChangeSet): Promise<boolean> {
    const changes = change.flatMap(({ name, sets }) => {
      const owner = name === '' ? this.domain.name : this.domain.at(name);
      const gone = (this.types.get(name) ?? []).filter((type) => !sets.some((set) => set.type === type));
      return [
        ...gone.map((type) => ({ action: 'replace', name: owner, type, records: [] })),
        ...sets.map(({ type, ttl, records }) => ({
          ...{ action: 'replace', name: owner, type },
          records: records.map((record) => ({ ...record, ttl })),
        })),
      ];
    });
    if (changes.length === 0) return false;
    const { status, body } = await signed.pool.clients.call('post', `/v1/domains/${this.domain.id}/changes`, {
      changes,
    });
    if (status !== 200) {
      if (status >= 500) throw new Error(JSON.stringify(body));
      this.figures.refused += 1;
      if (process.env.SHOW) process.stderr.write(JSON.stringify(body).slice(0, 300) + '\n');
      return false;
    }
    for (const { name, sets } of change)
      this.types.set(
        name,
        sets.map(({ type }) => type),
      );
    this.figures.changeSets += 1;
    this.figures.sets += changes.length;
    return true;
  }

  private async look(byAll: boolean): Promise<string[]> {
    const { name } = this.domain;
    const ours = await recordsFrom(signed.pool.port, name);
    const faults = (await ownFaultsOf(name, this.form.denial, ours)).map((fault) => `our own check: ${fault}`);
    for (const server of signed.pool.servers) {
      const theirs = await recordsOn(server, name, ours);
      const judge = byAll ? faultsOf : quickFaultsOf;
      const found = [...differences(ours, theirs), ...(await judge(name, genericText(theirs)))];
      this.figures.comparisons += 1;
      this.figures[byAll ? 'judgedByAll' : 'judged'] += 1;
      faults.push(...found.map((fault) => `${server.name}: ${fault}`));
    }
    return faults;
  }
}
