/**
 * Queries a name server according to the plan on stdin and reports to stdout. It only counts octets and records:
 * parsing a transfer would take longer than sending it.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainName } from '../dist/src/dns/name.js';
import { requestHeader } from '../dist/src/dns/message/header.js';
import { framed, writeMessage } from '../dist/src/dns/message/message-writer.js';
import { TsigClient } from '../dist/src/dns/message/tsig/tsig-client.js';
import { WireWriter } from '../dist/src/dns/message/wire.js';
import { quantiles } from './statistics.mjs';

const [SOA, IXFR, AXFR] = [6, 251, 252];
/** The offset of the answer count in the header. */
const ANSWER_COUNT = 6;
/** Interval of SOA queries during transfers, in milliseconds. */
const PROBE_INTERVAL = 2;
/** Milliseconds after which a query counts as lost. */
const PATIENCE = 2000;

const plan = isMainThread ? await json(process.stdin) : workerData;
const key = { ...plan.key, name: DomainName.parse(plan.key.name), secret: Buffer.from(plan.key.secret, 'base64') };
const measure = { soa, transfers, differences, serial, probe }[plan.kind];
const report = await measure(plan);
if (isMainThread) console.log(JSON.stringify(report));
else parentPort.postMessage(report);

/** Keeps `window` queries in flight for `seconds` seconds. */
async function soa({ name, seconds, window, signs }) {
  const asking = await openDatagrams();
  const question = query(name, SOA, {}, signs);
  let [answered, id, last] = [0, 0, performance.now()];
  const send = () => {
    question.writeUInt16BE(id++ & 0xffff);
    asking.send(question);
  };
  asking.on('message', () => {
    answered += 1;
    last = performance.now();
    send();
  });
  const begin = performance.now();
  for (let at = 0; at < window; at += 1) send();
  while (performance.now() - begin < seconds * 1000) {
    await delay(50);
    // A datagram that was dropped is never answered.
    if (performance.now() - last > 200) send();
  }
  const perSecond = (answered / (performance.now() - begin)) * 1000;
  asking.close();
  return { perSecond, answered };
}

/** Parallel transfers of one zone, with SOA queries meanwhile. */
async function transfers({ name, records, parallel }) {
  const probing = parallel > 1 ? await startProbing(name) : null;
  const begin = performance.now();
  const octets = await Promise.all(Array.from({ length: parallel }, () => read(query(name, AXFR), records)));
  const seconds = (performance.now() - begin) / 1000;
  return { seconds, octets: octets[0], soa: quantiles((await probing?.end()) ?? []) };
}

/** In a separate thread: reading transfers would delay responses here. */
async function startProbing(name) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...plan, kind: 'probe', name } });
  await once(worker, 'message');
  return {
    end: async () => {
      worker.postMessage('end');
      const [times] = await once(worker, 'message');
      return times;
    },
  };
}

/** The differences since a serial, each over a new connection. */
async function differences({ name, since, records, times }) {
  const taken = [];
  let octets = 0;
  for (let at = 0; at < times; at += 1) {
    const begin = performance.now();
    octets = await read(query(name, IXFR, { serial: since }), records);
    taken.push(performance.now() - begin);
  }
  return { octets, ...quantiles(taken) };
}

async function serial({ name }) {
  const asking = await openDatagrams();
  asking.send(query(name, SOA));
  const [octets] = await Promise.race([once(asking, 'message'), never()]);
  asking.close();
  const { readMessage } = await import('../dist/src/dns/message/message-reader.js');
  const { SOA: type } = await import('../dist/src/dns/rdata/index.js');
  return type.values(readMessage(octets).answers[0].rdata).serial;
}

/** Repeats SOA queries until stopped; returns latencies in milliseconds. */
async function probe({ name }) {
  const asking = await openDatagrams();
  const question = query(name, SOA);
  const sent = new Map();
  const taken = [];
  let hasEnded = false;
  parentPort.once('message', () => (hasEnded = true));
  parentPort.postMessage('ready');
  asking.on('message', (answer) => taken.push(performance.now() - sent.get(answer.readUInt16BE(0))));
  for (let id = 0; !hasEnded; id += 1) {
    question.writeUInt16BE(id & 0xffff);
    sent.set(id & 0xffff, performance.now());
    asking.send(question);
    await delay(PROBE_INTERVAL);
  }
  await delay(200);
  asking.close();
  return [...taken, ...Array(Math.max(0, sent.size - taken.length)).fill(PATIENCE)];
}

/** Reads messages up to the given number of records; returns their octets. */
function read(question, records) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: plan.port, noDelay: true });
    let [octets, found, rest] = [0, 0, Buffer.alloc(0)];
    socket.on('data', (chunk) => {
      octets += chunk.length;
      const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let at = 0;
      while (buffer.length - at >= 14 && buffer.length - at >= 2 + buffer.readUInt16BE(at)) {
        found += buffer.readUInt16BE(at + 2 + ANSWER_COUNT);
        if (buffer.readUInt8(at + 5) & 0xf) return socket.destroy(new Error(`RCODE ${buffer.readUInt8(at + 5) & 0xf}`));
        at += 2 + buffer.readUInt16BE(at);
      }
      rest = buffer.subarray(at);
      if (found < records) return undefined;
      resolve(octets);
      return socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`the transfer ended after ${found} of ${records} records`)));
    socket.write(framed(question));
  });
}

function query(name, type, { serial } = {}, signs = true) {
  const owner = DomainName.parse(name);
  const authorities = serial === undefined ? [] : [{ owner, type: SOA, class: 1, ttl: 0, rdata: soaRdata(serial) }];
  const header = requestHeader(4711, 0);
  const octets = writeMessage({ header, questions: [{ name: owner, type, class: 1 }], authorities });
  return signs ? new TsigClient(key, () => Math.floor(Date.now() / 1000)).sign(octets) : octets;
}

function soaRdata(serial) {
  const out = new WireWriter().name(DomainName.ROOT).name(DomainName.ROOT);
  for (const number of [serial, 0, 0, 0, 0]) out.uint32(number);
  return out.finish();
}

async function never() {
  await delay(PATIENCE, undefined, { ref: false });
  throw new Error('there is no answer');
}

async function openDatagrams() {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 2 ** 20 });
  socket.connect(plan.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}
