import { describe, expect, it } from '@jest/globals';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType, Opcode } from '../../src/dns/message/codes.js';
import { framed } from '../../src/dns/message/message-writer.js';
import { ask, queryOf, rcodeOf } from '../support/dns-client.js';
import { KEY, tsigKey } from '../support/name-server.js';
import type { Settings } from '../support/service.js';
import { type Target, violationsUnder } from './attack.js';
import { damagedMessages } from './damaged-messages.js';
import { ATTACKER_ADDRESS, type Datagrams, DnsFlood, type DnsFloodReport, type Streams } from './dns-flood.js';
import { connectionsHeld } from './flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { makeLargeDomain } from './large-domains.js';
import { unlimitedChanges } from './options.js';
import { vitalsOf } from './vital-signs.js';

/** Allowed memory growth in MiB. */
const MOST_MEMORY = 150;
const READ_TIMEOUT_S = inForm(2, 30);
/** No flood goes on for longer. */
const LONGEST_FLOOD_S = inForm(40, 300);
const LONGEST_CLOSING_MS = inForm(25_000, 120_000);

const MDNS: Settings = {
  ...unlimitedChanges(),
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__TSIG_KEYS: `${KEY.name}:${KEY.algorithm}:${Buffer.from(KEY.secret).toString('base64')}`,
  SERVICE_MDNS__ALLOW_TRANSFER: `127.0.0.1,${ATTACKER_ADDRESS}`,
  SERVICE_MDNS__READ_TIMEOUT: String(READ_TIMEOUT_S),
  SERVICE_MDNS__IDLE_TIMEOUT: inForm('2', '10'),
};

/** A tenant zone with one record. */
const SMALL = 'mallory.example.com.';

interface Prepared {
  readonly zone: { readonly name: string };
  readonly port: number;
}

interface Armed extends Prepared {
  readonly floods: readonly DnsFlood[];
}

async function makeSmall({ clients }: Target): Promise<Prepared['zone']> {
  await clients.as('mallory').call('post', '/v1/domains', { name: SMALL, email: 'hostmaster@example.org' });
  return { name: SMALL };
}

/** A zone of 30 MB, more than the kernel buffers for a client that does not read. */
const makeLarge = (target: Target): Promise<Prepared['zone']> => makeLargeDomain(target, 'mallory');

describe('12.1 the name server under attack (attack case 100)', () => {
  async function attack(
    name: string,
    floodsFor: (prepared: Prepared) => readonly (Datagrams | Streams)[],
    judge: (reports: readonly DnsFloodReport[], target: Target) => void,
    /** When it is done the floods end. */
    meanwhile?: (target: Target, port: number) => Promise<void>,
    make = makeSmall,
  ): Promise<string[]> {
    return violationsUnder<Armed>({
      name,
      settings: MDNS,
      prepare: async (target) => {
        const zone = await make(target);
        const port = Number(/dns:\/\/127\.0\.0\.1:(\d+)/.exec(target.log())?.[1]);
        const floods = floodsFor({ zone, port }).map((flood) => new DnsFlood(port, flood, LONGEST_FLOOD_S));
        return { zone, port, floods };
      },
      run: async (target, prepared) => {
        const before = await vitalsOf(target.pid);
        const ending = new AbortController();
        let most = 0;
        const watching = setInterval(
          () => void vitalsOf(target.pid).then((now) => (most = Math.max(most, now?.rss ?? 0))),
          50,
        );
        const floods = prepared.floods.map((flood) => flood.run(AbortSignal.any([target.signal, ending.signal])));
        await meanwhile?.(target, prepared.port);
        if (meanwhile !== undefined) ending.abort();
        const reports = await Promise.all(floods);
        clearInterval(watching);
        const grown = most - (before?.rss ?? 0);
        target.note({ grown, reports });
        target.must(grown <= MOST_MEMORY, `the service took ${Math.round(grown)} MiB more`);
        judge(reports, target);
        const answer = await ask(prepared, { name: prepared.zone.name, type: SOA.code });
        target.must(rcodeOf(answer) === 'NOERROR', `the name server answers ${rcodeOf(answer)}`);
      },
    });
  }

  it(
    'bears messages that are none, over UDP and TCP',
    async () => {
      const count = inForm(20_000, 200_000);
      const violations = await attack(
        'damaged messages',
        () => {
          const messages = damagedMessages(count, SMALL, tsigKey()).filter(({ length }) => length < 9000);
          // Messages without a response close the connection.
          const streams = Array.from({ length: count / 20 }, (_, at) =>
            Buffer.concat(messages.slice(20 * at, 20 * (at + 1)).map((message) => framed(message))),
          );
          return [
            { kind: 'datagrams', messages, times: 1, probe: queryOf({ name: SMALL, type: SOA.code, id: 0xbeef }) },
            { kind: 'streams', streams, parallel: 50, isSlow: false, isReading: true, ends: true },
          ];
        },
        ([datagrams, streams], target) => {
          target.must(datagrams!.sent > 0.9 * count, `only ${datagrams!.sent} were sent`);
          target.must(datagrams!.answers > 0.5 * datagrams!.sent, `only ${datagrams!.answers} were answered`);
          target.must(streams!.closed === streams!.opened, 'some connections stay open');
        },
      );
      expect(violations).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'bears connections that say nothing, send an octet a second, or do not read',
    async () => {
      const violations = await attack(
        'idle, slow and unread connections',
        ({ zone }) => {
          const query = framed(queryOf({ name: zone.name, type: MetaType.AXFR }));
          const manner = { isReading: false, ends: false } as const;
          const transfers = Buffer.concat(Array<Buffer>(8).fill(query));
          return [
            { kind: 'streams', streams: Array<Buffer>(20).fill(transfers), parallel: 20, isSlow: false, ...manner },
            { kind: 'streams', streams: Array<Buffer>(10).fill(query), parallel: 10, isSlow: true, ...manner },
            {
              kind: 'streams',
              streams: Array<Buffer>(inForm(2000, 5000)).fill(Buffer.alloc(0)),
              parallel: inForm(2000, 5000),
              isSlow: false,
              ...manner,
            },
          ];
        },
        () => undefined,
        async (target, port) => {
          const held = () => connectionsHeld(`dns://127.0.0.1:${port}`);
          while ((await held()) < 20 && !target.signal.aborted) await target.hold(50);
          // Until the time is up for readers too slow, and for the buffers of the kernel to fill before.
          const end = performance.now() + LONGEST_CLOSING_MS;
          while ((await held()) > 0 && performance.now() < end && !target.signal.aborted) await target.hold(100);
          target.must((await held()) === 0, `${await held()} connections are still there`);
        },
        makeLarge,
      );
      expect(violations).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'bears floods of questions and of NOTIFYs',
    async () => {
      const times = inForm(20_000, 1_000_000);
      const violations = await attack(
        'floods of SOA and NOTIFY',
        () => {
          const question = queryOf({ name: SMALL, type: SOA.code });
          const notify = queryOf({ name: SMALL, type: SOA.code, opcode: Opcode.NOTIFY });
          const pipelined = Buffer.concat(Array<Buffer>(1000).fill(framed(question)));
          return [
            { kind: 'datagrams', messages: [question], times, probe: null },
            { kind: 'datagrams', messages: [notify], times, probe: null },
            {
              kind: 'streams',
              streams: Array<Buffer>(inForm(20, 90)).fill(pipelined),
              parallel: 90,
              isSlow: false,
              isReading: true,
              ends: true,
            },
          ];
        },
        ([questions], target) => target.must(questions!.answers > 0, 'nothing was answered'),
      );
      expect(violations).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );
});
