import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rcode } from '../../src/dns/message/codes.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { A } from '../../src/dns/rdata/address-types.js';
import { CNAME } from '../../src/dns/rdata/name-types.js';
import { saying, type Said } from '../support/alias-resolver.js';
import { addressesAt, type AliasService, startAliasService } from '../support/alias-service.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { freshName, newDomain } from '../support/domain.js';
import { addressRecord, record } from '../support/hostile-master.js';
import { processorTime } from '../support/processor-time.js';
import { until } from '../support/until.js';

let service: AliasService;
beforeAll(async () => {
  service = await startAliasService({ SERVICE_ALIAS__MAX_QUERIES: '8' });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

const nameOf = ({ questions: [question] }: Message): string => question!.name.toString();
const answering = (records: (name: string) => readonly ResourceRecord[]): Said => {
  return (query) => saying(query, records(nameOf(query)));
};
const flagged = (query: Message, flag: number): Buffer => {
  const answer = saying(query, [addressRecord(nameOf(query), 1)]);
  answer[4] = (answer[4] ?? 0) | flag;
  return answer;
};
const inOneName = (count: number) => (name: string) =>
  Array.from({ length: count }, (_, at) => record(name, A.code, Uint8Array.of(192, 0, 2, at % 256)));

const NEVER: Said = () => null;
const TRUNCATED = 0x02;

/** What a resolver says, and the state that the target then has. */
const LIES: Readonly<Record<string, readonly [said: Said, state: string, problem: RegExp]>> = {
  'with another ID': [
    (query) => {
      const answer = saying(query, [addressRecord(nameOf(query), 1)]);
      answer.writeUInt16BE((answer.readUInt16BE(2) + 1) & 0xffff, 2);
      return answer;
    },
    'failing',
    /does not answer/,
  ],
  never: [NEVER, 'failing', /does not answer/],
  'with octets that are no message': [() => Buffer.from([0, 4, 1, 2, 3, 4]), 'failing', /does not answer/],
  'for another name': [answering(() => [addressRecord('other.example.', 1)]), 'missing', /no addresses/],
  truncated: [(query) => flagged(query, TRUNCATED), 'failing', /truncated/],
  'with a loop of CNAMEs': [
    answering((name) => [record(name, CNAME.code, CNAME.parse(name, null))]),
    'failing',
    /CNAMEs/,
  ],
  'with 65 addresses': [answering(inOneName(65)), 'failing', /more than 64/],
  'with 2,000 addresses': [answering(inOneName(2000)), 'failing', /more than 64/],
  'with a malformed address': [
    answering((name) => [record(name, A.code, Uint8Array.of(1, 2))]),
    'failing',
    /malformed|does not answer/,
  ],
  'with private addresses': [['10.1.2.3', 'fd00::1', '127.0.0.1', '::1'], 'refused', /not public/],
  SERVFAIL: [Rcode.SERVFAIL, 'failing', /SERVFAIL/],
  REFUSED: [Rcode.REFUSED, 'failing', /REFUSED/],
};

interface Aliases {
  readonly aliases: readonly {
    readonly state: string;
    readonly problem: string | null;
    readonly addresses: readonly string[];
  }[];
}

async function stateOf({ id }: { readonly id: string }): Promise<Aliases['aliases'][number]> {
  return (await bodyOf<Aliases>(service.call('get', `/v1/domains/${id}/aliases`))).aliases[0]!;
}

describe('24.4 a hostile resolver', () => {
  it.each(Object.entries(LIES))('24.4, 24.5 that answers %s publishes nothing', async (_, [said, state, problem]) => {
    const [domain, target] = [await newDomain(service), `lie.${freshName()}`];
    service.resolver.say(target, said);
    await domain.newRecord({ name: domain.name, type: 'ALIAS', data: target });
    await until(async () => (await stateOf(domain)).state === state);
    expect((await stateOf(domain)).problem).toMatch(problem);
    expect(await addressesAt(domain)).toEqual([]);
  });

  it('24.4 that answers with a TTL of 0 is asked at most once in min_interval', async () => {
    service.resolver.ttl = 0;
    const { target } = await service.following(['192.0.2.1']);
    const asked = (): number => service.resolver.asked.filter((one) => one === `${target} A`).length;
    const [before, begun] = [asked(), performance.now()];
    await until(() => asked() >= before + 3);
    expect(performance.now() - begun).toBeGreaterThan(1900);
    service.resolver.ttl = 3600;
  });

  it('24.4 that is silent for 200 targets of one tenant does not delay another tenant', async () => {
    const [domain, computed] = [await newDomain(service.as('tenant-c', 'admin')), processorTime()];
    const labels = Array.from({ length: 200 }, (_, at) => `h${at}`);
    for (const label of labels) service.resolver.say(`${label}.silent.example.`, NEVER);
    await answerOf(
      service.as('tenant-c', 'admin').call('post', `/v1/domains/${domain.id}/changes`, {
        changes: labels.map((label) => ({
          action: 'create',
          record: { name: domain.at(label), type: 'ALIAS', data: `${label}.silent.example.` },
        })),
      }),
    );
    const begun = performance.now();
    const { domain: other } = await service.following(['192.0.2.7']);
    expect(await addressesAt(other)).toEqual(['192.0.2.7']);
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(processorTime() - computed).toBeLessThan(10_000);
  });
});
