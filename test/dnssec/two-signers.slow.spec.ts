import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, expect, it, jest } from '@jest/globals';
import { Type } from '../../src/dns/dnssec/wire-set.js';
import { MetaType } from '../../src/dns/message/codes.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/soa.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { times } from '../support/length.js';
import { query } from '../support/messages.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { ownPlaceForEach } from '../support/own-place.js';
import { type Clients, clientsOf } from '../support/service.js';
import { idOf, transfer } from '../support/transfers.js';
import { until } from '../support/until.js';
import { generationsOf } from './generations.js';
import { ownFaultsOf } from './own-check.js';
import type { Dnssec } from './signed-pool.js';

// Two starts of processes, and everything signed again and again.
jest.setTimeout(240_000);

const ROUNDS = times(15, 200);
/** Two processes are at it together for most of that; in milliseconds. */
const PAUSE = 400;

/** A process that signs and serves signed zones. */
interface Signer {
  readonly port: number;
  readonly clients: Clients;
}

const place = ownPlaceForEach('two-signers');
let signers: Signer[];

beforeEach(async () => {
  signers = [await start(), await start()];
});

async function start(): Promise<Signer> {
  const port = await freePort();
  const { url } = await place.start({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    ...DNSSEC_ON,
  });
  return { port, clients: clientsOf(url) };
}

// Small zones are read during publication, larger ones from a snapshot.
it.each([200, 1200])(
  '23.4, 23.6: two processes that sign %i names concurrently leave the result of one, and each transfer has one whole publication',
  async (names) => {
    const [{ clients }] = signers as [Signer];
    const domain = await newDomain(clients);
    await domain.import(Array.from({ length: names }, (_, at) => `n${at} A 192.0.2.1\n`).join(''));
    const path = `/v1/domains/${domain.id}/dnssec`;
    await answerOf(clients.call('put', path, { enabled: true }));
    await until(async () => (await bodyOf<Dnssec>(clients.call('get', path))).state !== 'signing');
    const watches = signers.map(({ port }) => new Watch(domain, port));
    for (let round = 0; round < ROUNDS; round += 1) {
      const denial = round % 2 === 0 ? 'nsec3' : 'nsec';
      await Promise.all([
        ...signers.map((signer) => answerOf(signer.clients.call('post', `${path}/resign`))),
        round % 3 === 0 && answerOf(clients.call('put', path, { enabled: true, denial })),
        domain.newRecord({ name: domain.at(`r${round}`) }),
      ]);
      await delay(PAUSE);
    }
    await Promise.all(watches.map((watch) => watch.end()));
    expect(watches.flatMap(({ refusals }) => refusals)).toEqual([]);
    expect(differing(watches)).toEqual([]);
    for (const records of new Map(watches.flatMap(({ seen }) => [...seen])).values())
      expect(await faultsOf(domain, records)).toEqual([]);
    expect((await bodyOf<Dnssec>(clients.call('get', path))).state).not.toBe('halted');
    await until(() => generationsOf(domain, place.database).length === 1, 20_000);
  },
);

function faultsOf({ name }: TestDomain, records: readonly ResourceRecord[]): Promise<string[]> {
  const denial = records.some(({ type }) => type === Type.NSEC3) ? 'nsec3' : 'nsec';
  return ownFaultsOf(name, denial, records);
}

/** The serials under which not everybody was sent the same. */
function differing(watches: readonly Watch[]): number[] {
  const texts = new Map<number, string>();
  return watches
    .flatMap(({ seen }) => [...seen])
    .filter(([serial, records]) => {
      const text = records.map(idOf).sort().join('\n');
      const known = texts.get(serial) ?? text;
      texts.set(serial, known);
      return text !== known;
    })
    .map(([serial]) => serial);
}

/** Asks for the domain all the time. */
class Watch {
  readonly refusals: string[] = [];
  readonly seen = new Map<number, readonly ResourceRecord[]>();
  private readonly over = new AbortController();
  private readonly looking: Promise<void>;

  constructor(
    private readonly domain: TestDomain,
    private readonly port: number,
  ) {
    this.looking = this.lookOn();
  }

  async end(): Promise<void> {
    this.over.abort();
    await this.looking;
  }

  private async lookOn(): Promise<void> {
    const question = query(MetaType.AXFR, {}, DomainName.parse(this.domain.name));
    while (!this.over.signal.aborted) {
      try {
        const { records } = await transfer(this.port, question);
        const [soa] = records;
        if (soa !== undefined) this.seen.set(SOA.values(soa.rdata).serial, records.slice(0, -1));
      } catch (error) {
        this.refusals.push(String(error));
      }
    }
  }
}
