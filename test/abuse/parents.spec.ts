import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest } from '@jest/globals';
import { A } from '../../src/dns/rdata/address-types.js';
import { DS } from '../../src/dns/rdata/dnssec.js';
import { NS } from '../../src/dns/rdata/name-types.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { responseHeader } from '../../src/dns/message/header.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { framed, writeMessage } from '../../src/dns/message/message-writer.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { addressRecord, dnsAnswer, HostileMaster, record, soaRecord } from '../support/hostile-master.js';
import { itAtPort53, MAY_LISTEN_AT_53, ownAddresses } from '../support/parent-servers.js';
import type { Client, Settings } from '../support/service.js';
import { until } from '../support/until.js';
import { violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const PORT = 53;
/** Domains of each kind. */
const DOMAINS = inForm(6, 60);
/** Milliseconds from ready to secure for another tenant's domain; one or two seconds without an attack. */
const LONGEST_DELAY = 20_000;
/** Connections that the attacker's parents may occupy for each second of the attack. */
const MOST_CONNECTIONS_A_SECOND = 40;
const KINDS = ['hanging', 'dribbling', 'endless', 'lying', 'crowded', 'inside'] as const;
type Kind = (typeof KINDS)[number];

/** Where the name servers of parents are. A parent is named `<kind>.example.` */
const [SOUND = '', ...HOSTILE] = ownAddresses(1 + KINDS.length);
/** An address that the service may not ask. */
const INSIDE = '10.255.255.1';

let resolver: HostileMaster;
let servers: Record<string, HostileMaster>;
/** The DS that the sound parent has, by name of the child. */
let sound: Map<string, string>;

beforeEach(async () => {
  if (!MAY_LISTEN_AT_53) return;
  sound = new Map();
  const manners: Record<Kind, (query: Message, socket: Socket) => Buffer | null> = {
    hanging: () => null,
    dribbling,
    endless,
    lying: (query) => answered(query, [ds(nameIn(query), '1 13 2 ' + '00'.repeat(32))], { isAuthoritative: false }),
    crowded: (query) => dnsAnswer(query, []),
    inside: () => null,
  };
  servers = { sound: await HostileMaster.start({ soa: soundAnswer, axfr: () => [] }, SOUND, PORT) };
  for (const [at, kind] of KINDS.entries())
    servers[kind] = await HostileMaster.start({ soa: manners[kind], axfr: () => [] }, HOSTILE[at] ?? '', PORT);
  resolver = await HostileMaster.start({ soa: resolved, axfr: () => [] });
});
afterEach(() => {
  if (!MAY_LISTEN_AT_53) return;
  for (const server of Object.values(servers)) server.stop();
  resolver.stop();
});

const nameIn = ({ questions: [question] }: Message): string => question!.name.toString();
const ds = (owner: string, data: string): ResourceRecord => record(owner, DS.code, DS.parse(data, null));

function answered(query: Message, answers: readonly ResourceRecord[], flags: object = {}): Buffer {
  const header = { ...responseHeader(query.header, 0), ...flags };
  return framed(writeMessage({ header, questions: query.questions, answers }));
}

/** A few octets of a message that never ends. */
function dribbling(_: Message, socket: Socket): Buffer {
  const timer = setInterval(() => socket.write(Buffer.of(0)), 50);
  socket.once('close', () => clearInterval(timer));
  return Buffer.of(0xff, 0xff);
}

/** Answers to other questions, as fast as they are taken. */
function endless(query: Message, socket: Socket): Buffer {
  const other = dnsAnswer(
    query,
    Array.from({ length: 2000 }, () => addressRecord('www.example.net.', 1)),
  );
  const send = (): void => {
    while (!socket.destroyed && socket.write(other));
  };
  socket.on('drain', send);
  setImmediate(send);
  return other;
}

function soundAnswer(query: Message): Buffer {
  const data = sound.get(nameIn(query));
  return answered(query, data === undefined ? [] : [ds(nameIn(query), data)]);
}

/** Says where parents are, and that it has validated everything. */
function resolved(query: Message): Buffer {
  const [question] = query.questions;
  const name = nameIn(query);
  const [label = ''] = name.split('.');
  const kind = KINDS.find((one) => label === one || name.endsWith(`.${one}.example.`)) ?? 'sound';
  const answers: Record<number, () => readonly ResourceRecord[]> = {
    [SOA.code]: () => [soaRecord(name, 1)],
    [NS.code]: () => nameServersOf(name, kind),
    [A.code]: () => [record(name, A.code, A.parse(addressOf(kind), null))],
    [DS.code]: () => (sound.has(name) ? [ds(name, sound.get(name) ?? '')] : []),
  };
  return answered(query, answers[question!.type]?.() ?? [], { isAuthoritative: false, isAuthenticData: true });
}

/** A crowd of names that lead to one address. */
function nameServersOf(name: string, kind: Kind | 'sound'): ResourceRecord[] {
  const count = kind === 'crowded' ? 20 : 1;
  return Array.from({ length: count }, (_, at) => record(name, NS.code, NS.parse(`ns${at}.${name}`, null)));
}

function addressOf(kind: Kind | 'sound'): string {
  if (kind === 'inside') return INSIDE;
  return kind === 'sound' ? SOUND : (HOSTILE[KINDS.indexOf(kind)] ?? '');
}

const SETTINGS = (): Settings => ({
  ...unlimitedChanges(),
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_CENTRAL__SOA_MINIMUM: '1',
  ...DNSSEC_ON,
  SERVICE_DNSSEC__RESOLVER: resolver.address,
  SERVICE_DNSSEC__ALLOW_PARENTS: '127.0.0.0/8',
  DEFAULT__QUOTA_ZONES: String(DOMAINS * KINDS.length),
});

interface Dnssec {
  readonly state: string;
  readonly ds: readonly string[];
  readonly parent: { readonly servers: readonly { readonly error: string | null }[] } | null;
}

const pathOf = ({ id }: TestDomain): string => `/v1/domains/${id}/dnssec`;

function dnssecOf(client: Client, domain: TestDomain): Promise<Dnssec> {
  return bodyOf<Dnssec>(client.call('get', pathOf(domain)));
}

async function readyDomain(client: Client, name: string): Promise<TestDomain> {
  const domain = await newDomain(client, name, { ttl: 1 });
  await answerOf(client.call('put', pathOf(domain), { enabled: true }));
  return domain;
}

itAtPort53()(
  '23.10 hanging, slow, flooding, lying, crowding and silent parents slow down no one and have no effect',
  async () => {
    const violations = await violationsUnder<readonly TestDomain[]>({
      name: 'parents of one tenant, of every kind',
      settings: SETTINGS(),
      prepare: async ({ clients }) => {
        const mallory = clients.as('mallory');
        const domains: TestDomain[] = [];
        for (const kind of KINDS)
          for (let at = 0; at < DOMAINS; at += 1) domains.push(await readyDomain(mallory, `d${at}.${kind}.example.`));
        return domains;
      },
      run: async (target, domains) => {
        const [mallory, other] = [target.clients.as('mallory'), target.clients.as('other')];
        const began = performance.now();
        const connections = (): number => Object.values(servers).reduce((sum, one) => sum + one.connections, 0);
        const before = connections();
        const times: number[] = [];
        for (let round = 0; round < inForm(3, 20) && !target.signal.aborted; round += 1) {
          const domain = await readyDomain(other, `sound-${round}.sound.example.`);
          await until(async () => target.signal.aborted || (await dnssecOf(other, domain)).parent !== null);
          sound.set(domain.name, (await dnssecOf(other, domain)).ds[0] ?? '');
          const since = performance.now();
          await until(async () => target.signal.aborted || (await dnssecOf(other, domain)).state === 'secure');
          times.push(performance.now() - since);
        }
        const seconds = (performance.now() - began) / 1000;
        const opened = connections() - before;
        target.note({ slowest: Math.max(...times), opened, seconds });
        target.mustTake(Math.max(...times), LONGEST_DELAY, 'another tenant waited too long');
        target.must(opened < MOST_CONNECTIONS_A_SECOND * seconds, `${opened} connections were opened in ${seconds} s`);
        const seen = await Promise.all(domains.map((domain) => dnssecOf(mallory, domain)));
        target.must(
          seen.every(({ state }) => state !== 'secure'),
          'a parent that answers nothing of use made a domain secure',
        );
        const inside = seen.filter((_, at) => domains[at]?.name.endsWith('.inside.example.'));
        target.must(
          inside.every(({ parent }) => parent?.servers.every(({ error }) => error?.includes('may not ask')) ?? true),
          'an address was asked that is not to be',
        );
      },
    });
    expect(violations).toEqual([]);
  },
);

itAtPort53()('23.16 looks at hanging parents on request are bounded, and slow down no one', async () => {
  const violations = await violationsUnder<readonly TestDomain[]>({
    name: 'looks at parents on request',
    settings: SETTINGS(),
    prepare: async ({ clients }) => {
      const mallory = clients.as('mallory');
      return Promise.all(KINDS.map((kind) => newDomain(mallory, `look.${kind}.example.`)));
    },
    run: async (target, domains) => {
      const [mallory, other] = [target.clients.as('mallory'), target.clients.as('other')];
      const own = await newDomain(other, 'look.sound.example.');
      const statuses = new Set<number>();
      const attack = domains.flatMap((domain) =>
        Array.from({ length: inForm(4, 20) }, async () => {
          statuses.add((await mallory.call('get', `${pathOf(domain)}/parent`)).status);
        }),
      );
      const since = performance.now();
      const seen = await bodyOf<{ servers: readonly { error: string | null }[] }>(
        other.call('get', `${pathOf(own)}/parent`),
      );
      const delay = performance.now() - since;
      target.mustTake(delay, LONGEST_DELAY, 'another tenant waited too long');
      target.must(
        seen.servers.every(({ error }) => error === null),
        'the look of another tenant failed',
      );
      await Promise.all(attack);
      target.note({ delay });
      target.must(statuses.has(503), 'looks of one tenant are not bounded');
      target.must(
        [...statuses].every((status) => status === 200 || status === 503),
        `statuses ${[...statuses].join(', ')}`,
      );
    },
  });
  expect(violations).toEqual([]);
});
