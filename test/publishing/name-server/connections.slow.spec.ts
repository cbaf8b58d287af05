import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { SOA } from '../../../src/dns/rdata/index.js';
import { MetaType } from '../../../src/dns/message/codes.js';
import { framed } from '../../../src/dns/message/message-writer.js';
import { type Asked, ask, DnsConnection, queryOf, rcodeOf, transfer } from '../../support/dns-client.js';
import { addresses, MemoryZones } from '../../support/memory-zones.js';
import { type Settings, startNameServer, type TestNameServer } from '../../support/name-server.js';

const NAME = 'example.org.';
const SOA_QUERY: Asked = { name: NAME, type: SOA.code };
const AXFR: Asked = { name: NAME, type: MetaType.AXFR };
/** More than the kernel buffers for a client that does not read. */
const LARGE = 400_000;
const LARGE_ZONE = addresses(NAME, LARGE);

describe('12.1 TCP', () => {
  const zones = new MemoryZones();
  zones.put(NAME, 7, addresses(NAME, 1000));
  let server: TestNameServer;
  let opened: DnsConnection[] = [];
  afterEach(async () => {
    for (const connection of opened) connection.close();
    opened = [];
    await server.stop();
  });

  async function start(limits: Settings['limits'] = {}, of = zones): Promise<void> {
    server = await startNameServer(of, { limits });
  }

  async function open(localAddress = '127.0.0.1'): Promise<DnsConnection> {
    const connection = await DnsConnection.open({ ...server, localAddress });
    opened.push(connection);
    return connection;
  }

  async function isServed(connection: DnsConnection): Promise<boolean> {
    connection.send(queryOf(SOA_QUERY));
    return (await connection.next()) !== null;
  }

  it('accepts fragmented queries, and several in one fragment', async () => {
    await start();
    const connection = await open();
    const octets = Buffer.concat(Array.from({ length: 300 }, (_, id) => framed(queryOf({ ...SOA_QUERY, id }))));
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 40],
      [40, octets.length],
    ] as const) {
      connection.socket.write(octets.subarray(from, to));
      await delay(20);
    }
    const ids = new Set<number>();
    while (ids.size < 300) ids.add((await connection.nextMessage()).header.id);
  });

  it('does not delay responses behind slower ones', async () => {
    const slow = new MemoryZones();
    slow.put(NAME, 7, []);
    slow.put('slow.example.', 7, []);
    slow.slowness.set('slow.example.', 300);
    await start({}, slow);
    const connection = await open();
    connection.send(queryOf({ ...SOA_QUERY, name: 'slow.example.', id: 1 }), queryOf({ ...SOA_QUERY, id: 2 }));
    const ids = [(await connection.nextMessage()).header.id, (await connection.nextMessage()).header.id];
    expect(ids).toEqual([2, 1]);
  });

  it('answers a client that has ended its side all that it has asked', async () => {
    await start();
    const connection = await open();
    connection.socket.end(
      Buffer.concat([AXFR, ...Array<Asked>(300).fill(SOA_QUERY)].map((asked) => framed(queryOf(asked)))),
    );
    let messages = 0;
    while ((await connection.next()) !== null) messages += 1;
    expect(messages).toBe(302);
  });

  it('closes a connection without a complete query, even if octets arrive', async () => {
    await start({ idleTimeout: 1 });
    const [silent, slow, used] = [await open(), await open(), await open()];
    const octets = framed(queryOf(SOA_QUERY));
    const timers = [...octets].map((_, at) =>
      setTimeout(() => slow.socket.write(octets.subarray(at, at + 1)), 100 * at),
    );
    const asking = setInterval(() => used.send(queryOf(SOA_QUERY)), 500);
    await Promise.all([silent.closed, slow.closed]);
    expect(await isServed(used)).toBe(true);
    clearInterval(asking);
    for (const timer of timers) clearTimeout(timer);
  });

  it('closes a connection that does not speak DNS', async () => {
    await start();
    const connection = await open();
    connection.socket.write('GET / HTTP/1.1\r\nHost: example.org\r\n\r\n'.repeat(2000));
    await connection.closed;
  });

  it('bounds the connections of an address: one more closes the idlest', async () => {
    await start({ connectionsPerAddress: 3 });
    const [first, second, third] = [await open(), await open(), await open()];
    expect([await isServed(first), await isServed(third)]).toEqual([true, true]);
    const fourth = await open();
    await second.closed;
    for (const connection of [first, third, fourth]) expect(await isServed(connection)).toBe(true);
  });

  it('bounds the connections of all: the address that has most loses one', async () => {
    await start({ connections: 4 });
    const well = await open('127.0.0.2');
    const many: DnsConnection[] = [];
    for (let at = 0; at < 4; at += 1) many.push(await open());
    await many[0]!.closed;
    expect(await isServed(await open('127.0.0.3'))).toBe(true);
    await many[1]!.closed;
    expect(await isServed(well)).toBe(true);
  });

  it('continues with a waiting query of a connection above the limit after a response', async () => {
    await start({ pipelined: 2 });
    const connection = await open();
    connection.send(...Array.from({ length: 50 }, (_, id) => queryOf({ ...SOA_QUERY, id })));
    for (let at = 0; at < 50; at += 1) expect(rcodeOf(await connection.nextMessage())).toBe('NOERROR');
  });

  describe('a transfer that is not read', () => {
    const large = new MemoryZones();
    large.put(NAME, 7, LARGE_ZONE);

    async function stall(): Promise<DnsConnection> {
      const connection = await open('127.0.0.9');
      connection.send(queryOf(AXFR));
      connection.socket.pause();
      return connection;
    }

    it('delays no other client, and is disconnected', async () => {
      await start({ readTimeout: 2 }, large);
      const before = process.memoryUsage().arrayBuffers;
      const stalled = [];
      for (let at = 0; at < 20; at += 1) stalled.push(await stall());
      while (large.held < 20) await delay(10);
      expect(rcodeOf(await ask(server, SOA_QUERY))).toBe('NOERROR');
      expect((await transfer(server, AXFR)).records).toHaveLength(LARGE + 2);
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20);
      while (large.held > 0) await delay(100);
    });

    it('ends in any case when its time is up', async () => {
      await start({ transferTimeout: 1 }, large);
      await stall();
      while (large.held === 0) await delay(10);
      while (large.held > 0) await delay(100);
    });

    it('does not hold up a stop for longer than its grace', async () => {
      await start({}, large);
      const idle = await open();
      const stalled = await stall();
      while (large.held === 0) await delay(10);
      const started = performance.now();
      await server.stop(1);
      expect(performance.now() - started).toBeLessThan(15_000);
      await idle.closed;
      stalled.socket.resume();
      await stalled.closed;
      expect(large.held).toBe(0);
    });

    it('that is read is finished before a stop', async () => {
      await start({}, large);
      const connection = await open();
      connection.send(queryOf(AXFR));
      await connection.next();
      const stopping = server.stop(20);
      let records = 0;
      for (let octets = await connection.next(); octets !== null; octets = await connection.next())
        records += octets.readUInt16BE(6);
      await stopping;
      expect(records).toBeGreaterThan(LARGE * 0.99);
    });
  });
});
