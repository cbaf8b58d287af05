import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SOA } from '../../../src/dns/rdata/index.js';
import { MetaType } from '../../../src/dns/message/codes.js';
import { ask, DnsConnection, queryOf, rcodeOf, serialOf, transfer, transferOver } from '../../support/dns-client.js';
import { addresses, MemoryZones } from '../../support/memory-zones.js';
import { KEY, startNameServer, type TestNameServer, tsigKey } from '../../support/name-server.js';

const { AXFR, IXFR } = MetaType;
const NAME = 'example.org.';
const RECORDS = addresses(NAME, 5000);

describe('the name server', () => {
  const zones = new MemoryZones();
  let server: TestNameServer;
  beforeAll(async () => {
    zones.put(NAME, 100, RECORDS);
    zones.put(NAME, 101, [...RECORDS.slice(1), ...addresses('new.example.org.', 1)]);
    server = await startNameServer(zones);
  });
  afterAll(() => server.stop());

  const left = () => zones.held;

  it('12.1 answers SOA with the serial of the zone, with authority', async () => {
    const answer = await ask(server, { name: NAME, type: SOA.code });
    expect(rcodeOf(answer)).toBe('NOERROR');
    expect(answer.header).toMatchObject({ isAuthoritative: true, isTruncated: false, isRecursionAvailable: false });
    expect(answer.answers.map(serialOf)).toEqual([101]);
  });

  it.each([undefined, KEY])('12.1 sends the whole zone by AXFR (key: %j)', async (key) => {
    const { records, messages } = await transfer(server, { name: NAME, type: AXFR }, key && tsigKey(key));
    expect(records).toHaveLength(5002);
    expect([records[0]!, records.at(-1)!].map(serialOf)).toEqual([101, 101]);
    expect(messages.length).toBeGreaterThan(3);
    expect(messages.map(({ questions }) => questions.length)).toEqual(messages.map((_, at) => (at === 0 ? 1 : 0)));
    expect(
      messages.every(({ header, tsig }) => header.isAuthoritative && (tsig !== null) === (key !== undefined)),
    ).toBe(true);
    expect(left()).toBe(0);
  });

  it('12.1 sends differences by IXFR, over TCP and UDP', async () => {
    const asked = { name: NAME, type: IXFR, serial: 100 };
    const overTcp = (await transfer(server, asked, tsigKey())).records;
    expect(overTcp.map(({ owner, type }) => `${owner.toString()} ${type}`)).toEqual([
      'example.org. 6',
      'example.org. 6',
      'h0.example.org. 1',
      'example.org. 6',
      'h0.new.example.org. 1',
      'example.org. 6',
    ]);
    expect((await ask(server, asked)).answers).toEqual(overTcp);
    expect(left()).toBe(0);
  });

  it('12.1 sends the whole zone inside the answer to an IXFR when the difference is not known (attack case 97)', async () => {
    const { records } = await transfer(server, { name: NAME, type: IXFR, serial: 7 });
    expect(records).toHaveLength(5002);
  });

  it.each([101, 102, 2 ** 31 + 50])('12.1 sends the SOA alone to a client that has serial %d', async (serial) => {
    const asked = { name: NAME, type: IXFR, serial };
    const overTcp = await transfer(server, asked, tsigKey());
    expect(overTcp.records.map(serialOf)).toEqual([101]);
    expect((await ask(server, asked)).answers).toEqual(overTcp.records);
  });

  it('12.1 sends the SOA alone over UDP when more would not fit or is not known', async () => {
    const wide = addresses('wide.example.', 200);
    zones.put('wide.example.', 100, wide);
    zones.put('wide.example.', 101, wide.slice(100));
    for (const asked of [
      { serial: 7, edns: {} },
      { serial: 100, name: 'wide.example.' },
    ]) {
      const answer = await ask(server, { name: NAME, type: IXFR, ...asked });
      expect(answer.header.isTruncated).toBe(false);
      expect(answer.answers.map(serialOf)).toEqual([101]);
    }
    expect(left()).toBe(0);
  });

  it('12.1 refuses AXFR over UDP, and IXFR without the SOA that the client has', async () => {
    expect(rcodeOf(await ask(server, { name: NAME, type: AXFR }))).toBe('FORMERR');
    expect(rcodeOf(await ask(server, { name: NAME, type: IXFR }))).toBe('FORMERR');
  });

  it('12.1 answers NOTAUTH to transfers of unknown zones', async () => {
    for (const name of ['www.example.org.', 'example.net.'])
      for (const type of [AXFR, IXFR]) {
        const { messages } = await transfer(server, { name, type, serial: 1 }, tsigKey());
        expect(messages.map(rcodeOf)).toEqual(['NOTAUTH']);
      }
  });

  it('12.1 sends several transfers over one connection, with small responses in between', async () => {
    const connection = await DnsConnection.open(server);
    for (let round = 0; round < 3; round += 1) {
      const { records } = await transferOver(connection, { name: NAME, type: AXFR, id: round }, tsigKey());
      expect(records).toHaveLength(5002);
    }
    connection.send(
      queryOf({ name: NAME, type: AXFR, id: 1 }),
      queryOf({ name: NAME, type: AXFR, id: 2 }),
      queryOf({ name: NAME, type: SOA.code, id: 3 }),
    );
    const ids: number[] = [];
    while (ids.filter((id) => id === 2).length < 7) ids.push((await connection.nextMessage()).header.id);
    expect(ids.filter((id) => id < 3)).toEqual([...ids.filter((id) => id === 1), ...ids.filter((id) => id === 2)]);
    expect(ids.indexOf(3)).toBeLessThan(ids.indexOf(2));
    connection.close();
  });
});
