import { describe, expect, it } from '@jest/globals';
import { framed } from '../../src/dns/message/message-writer.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { DomainName } from '../../src/dns/name.js';
import { bodyOf } from '../support/answers.js';
import type { Place } from '../support/dns-client.js';
import { add, exists, type KeyBody, remove, TAKES_UPDATES, tsigKeyOf, updateOf, Updater } from '../support/updates.js';
import { type Target, violationsUnder } from './attack.js';
import { damagedMessages } from './damaged-messages.js';
import { type Datagrams, DnsFlood, type DnsFloodReport, type Streams } from './dns-flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

const ZONE = 'mallory.example.com.';
/** No flood goes on for longer. */
const LONGEST_FLOOD_S = inForm(40, 300);
/** As many as 64 KiB hold. */
const MANY = 1700;

interface Prepared {
  readonly place: Place;
  readonly mallory: Updater;
}

/** Several 64 KiB records, each at a separate name. */
const each = (make: (owner: string) => ResourceRecord): ResourceRecord[] =>
  Array.from({ length: MANY }, (_, at) => make(`h${at}.${ZONE}`));

async function prepare(target: Target): Promise<Prepared> {
  const client = target.clients.as('mallory');
  await client.call('post', '/v1/domains', { name: ZONE, email: 'hostmaster@example.org' });
  const key = await bodyOf<KeyBody>(client.call('post', '/v1/update-keys', { name: 'mallory.' }));
  const place = { port: Number(/dns:\/\/127\.0\.0\.1:(\d+)/.exec(target.log())?.[1]) };
  return { place, mallory: new Updater(place, tsigKeyOf(key)) };
}

async function attack(
  name: string,
  floodsFor: (prepared: Prepared) => readonly (Datagrams | Streams)[],
  judge: (reports: readonly DnsFloodReport[], target: Target) => Promise<void> | void,
): Promise<string[]> {
  return violationsUnder<Prepared & { readonly floods: readonly DnsFlood[] }>({
    name,
    settings: {
      ...unlimitedChanges(),
      ...TAKES_UPDATES,
      DEFAULT__QUOTA_ZONE_RECORDS: '5000',
      DEFAULT__QUOTA_ZONE_RECORDSETS: '5000',
    },
    prepare: async (target) => {
      const prepared = await prepare(target);
      const floods = floodsFor(prepared).map((flood) => new DnsFlood(prepared.place.port, flood, LONGEST_FLOOD_S));
      return { ...prepared, floods };
    },
    run: async (target, { floods, ...prepared }) => {
      const reports = await Promise.all(floods.map((flood) => flood.run(target.signal)));
      target.note({ reports });
      await judge(reports, target);
      const rcode = await prepared.mallory.update(ZONE, { updates: [add(`after.${ZONE}`, 60, 'A', '192.0.2.1')] });
      target.must(rcode === 'NOERROR', `an update is answered ${rcode}`);
    },
  });
}

describe('DNS UPDATE under attack', () => {
  it(
    '20.2 (attack cases 1, 2, 6, 7, 10) bears messages that are unsigned, signed badly, damaged, or never whole',
    async () => {
      const violations = await attack(
        'updates of strangers',
        ({ place, mallory }) => {
          const message = updateOf(ZONE, { updates: each((owner) => add(owner, 60, 'A', '192.0.2.1')).slice(0, 30) });
          const [unknown, guessed] = [
            new Updater(place, { ...mallory.key, name: DomainName.parse('unknown.') }),
            new Updater(place, { ...mallory.key, secret: Buffer.alloc(32) }),
          ];
          const messages = [message, unknown.signed(message), guessed.signed(message)];
          const times = inForm(3000, 100_000);
          const damaged = damagedMessages(inForm(2000, 50_000), ZONE, mallory.key).filter(
            ({ length }) => length < 9000,
          );
          return [
            { kind: 'datagrams', messages, times, probe: null },
            { kind: 'datagrams', messages: damaged, times: 1, probe: null },
            {
              ...{ kind: 'streams', streams: Array<Buffer>(100).fill(framed(message)), parallel: 100 },
              ...{ isSlow: true, isReading: false, ends: false },
            },
          ];
        },
        ([strangers], target) => target.must(strangers!.answers > 0, 'no response arrived'),
      );
      expect(violations).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    '20.1, 20.6 (attack cases 3, 4, 5, 8) bears the largest messages of a key, and the same again and again',
    async () => {
      const violations = await attack(
        'updates of a tenant',
        ({ mallory }) => {
          const signed = (asked: Parameters<typeof updateOf>[1]): Buffer => mallory.signed(updateOf(ZONE, asked));
          const prerequisites = each((owner) => exists(owner, 'A'));
          const large = Array.from({ length: inForm(4, 40) }, () => [
            signed({ updates: each((owner) => add(owner, 60, 'A', '192.0.2.1')) }),
            signed({ prerequisites }),
            signed({ updates: each((owner) => remove(owner)) }),
          ]);
          const streams = large.map((three) => Buffer.concat(three.map((message) => framed(message))));
          const replayed = signed({ updates: [add(`replay.${ZONE}`, 60, 'A', '192.0.2.1')] });
          return [
            { kind: 'streams', streams, parallel: 4, isSlow: false, isReading: true, ends: true },
            { kind: 'datagrams', messages: [replayed], times: inForm(5000, 100_000), probe: null },
          ];
        },
        async ([streams], target) => {
          target.must(streams!.closed === streams!.opened, 'some connections stay open');
          const history = await bodyOf<{ history: { after: { name?: string } | null }[] }>(
            target.clients.as('mallory').call('get', `/v1/history?domain=${ZONE}&name=replay.${ZONE}`),
          );
          target.must(
            history.history.length === 1,
            `a replayed update was carried out ${history.history.length} times`,
          );
        },
      );
      expect(violations).toEqual([]);
    },
    TEST_TIMEOUT_MS,
  );
});
