import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Rcode } from '../../src/dns/message/codes.js';
import { responseHeader } from '../../src/dns/message/header.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { writeMessage } from '../../src/dns/message/message-writer.js';
import { NS } from '../../src/dns/rdata/name-types.js';
import type { DomainReadDto } from '../../src/moves/v1/dto/domain-read.dto.js';
import type { LiveComparisonDto } from '../../src/moves/v1/dto/live-comparison.dto.js';
import { bodyOf, expectRefusal } from '../support/answers.js';
import { freshName, newDomain } from '../support/domain.js';
import { FormerProvider } from '../support/former-provider.js';
import { HostileMaster, record } from '../support/hostile-master.js';
import { itAtPort53, ownAddresses } from '../support/parent-servers.js';
import { startTestService, type TestService } from '../support/service.js';

const LINES = ['@ 3600 NS ns1.old.example.', '@ 3600 NS ns2.old.example.', 'www 300 A 192.0.2.3'];
const A = 1;
const PORT = 53;

let service: TestService;
let resolver: Socket;
/** Answers of the resolver, by `name type`; other names do not exist. */
const known = new Map<string, readonly ResourceRecord[]>();
const masters: HostileMaster[] = [];

beforeAll(async () => {
  resolver = createSocket('udp4');
  resolver.on('message', (octets, { port, address }) => {
    const { header, questions } = readMessage(octets);
    const [question] = questions;
    const answers = known.get(`${question!.name.toString().toLowerCase()} ${question!.type}`);
    const rcode = answers === undefined ? Rcode.NXDOMAIN : Rcode.NOERROR;
    resolver.send(
      writeMessage({ header: responseHeader(header, rcode), questions, answers: answers ?? [] }),
      port,
      address,
    );
  });
  await once(resolver.bind(0, '127.0.0.1'), 'listening');
  service = await startTestService({
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8',
    SERVICE_MDNS__RESOLVERS: `127.0.0.1:${resolver.address().port}`,
  });
});
afterAll(async () => {
  await service.stop();
  resolver.close();
});
afterEach(() => {
  for (const master of masters.splice(0)) master.stop();
  known.clear();
});

/** A zone of the former provider with two name servers; the second one does not answer. */
async function delegatedZone(zone: string, lines: readonly string[]): Promise<readonly [string, string]> {
  const [first, second] = ownAddresses(2) as [string, string];
  masters.push(await HostileMaster.start(new FormerProvider(zone, lines), first, PORT));
  const servers = ['ns1.old.example.', 'ns2.old.example.'];
  known.set(
    `${zone} ${NS.code}`,
    servers.map((server) => record(zone, NS.code, NS.parse(server, null))),
  );
  for (const [at, address] of [first, second].entries())
    known.set(`${servers[at]} ${A}`, [record(servers[at]!, A, Uint8Array.from(address.split('.').map(Number)))]);
  return [first, second];
}

const read = (name: string, method: 'transfer' | 'queries') =>
  service.as('acme').call('post', '/v1/domain-reads', { name, method });

describe('name servers that a resolver finds', () => {
  itAtPort53()('15.10 are read in their order, and an import takes the result', async () => {
    const zone = freshName();
    const [first] = await delegatedZone(zone, LINES);
    const body = await bodyOf<DomainReadDto>(read(zone, 'transfer'));
    expect(body).toMatchObject({ name: zone, complete: true, records: LINES.length + 1 });
    expect(body.name_servers).toEqual([{ name: 'ns1.old.example:53', address: null, reason: null, error: null }]);
    expect(JSON.stringify(body)).not.toContain(first);
    const domain = await newDomain(service.as('acme'), zone);
    expect(await domain.import(body.zone_file ?? '', '?skip_name_servers=true')).toMatchObject({ created: 1 });
    expect(await domain.records()).toMatchObject([{ name: `www.${zone}`, type: 'A', data: '192.0.2.3' }]);
  });

  itAtPort53()('15.10 are all reported, with the reason of one that does not answer', async () => {
    const zone = freshName();
    await delegatedZone(zone, LINES);
    const body = await bodyOf<DomainReadDto>(read(zone, 'queries'));
    expect(body.zone_file).toContain('192.0.2.3');
    expect(body.name_servers).toMatchObject([
      { name: 'ns1.old.example:53', reason: null },
      { name: 'ns2.old.example:53', reason: 'unreachable' },
    ]);
  });

  itAtPort53()('15.11 are compared with the domain', async () => {
    const domain = await newDomain(service.as('acme'));
    await delegatedZone(domain.name, LINES);
    await domain.newRecord({ name: domain.at('www'), type: 'A', data: '192.0.2.4', ttl: 300 });
    const path = `/v1/domains/${domain.id}/live-comparison`;
    const body = await bodyOf<LiveComparisonDto>(service.as('acme').call('get', path));
    expect(body.differences).toMatchObject([
      { name: domain.at('www'), kind: 'data', name_servers: ['ns1.old.example:53'] },
    ]);
  });

  it('15.10, 15.11 are needed: without them, the remedy is to name some', async () => {
    const domain = await newDomain(service.as('acme'));
    const comparison = service.as('acme').call('get', `/v1/domains/${domain.id}/live-comparison`);
    for (const answer of [await read(domain.name, 'transfer'), await read(domain.name, 'queries'), await comparison])
      expectRefusal(answer, {
        ...{ status: 400, type: 'invalid_object' },
        faults: [{ path: 'name_servers', validator: 'required' }],
      });
  });
});
