/**
 * Updates a zone according to the plan on stdin with signed messages, and reports to stdout. A client has one message
 * in flight, like real clients.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainName } from '../dist/src/dns/name.js';
import { requestHeader } from '../dist/src/dns/message/header.js';
import { framed, writeMessage } from '../dist/src/dns/message/message-writer.js';
import { TsigClient } from '../dist/src/dns/message/tsig/tsig-client.js';
import { quantiles } from './statistics.mjs';

const UPDATE = 5;
const [A, SOA] = [1, 6];
const [IN, ANY] = [1, 255];
/** Milliseconds before a message is repeated. */
const PATIENCE = 3000;

const plan = await json(process.stdin);
const key = { ...plan.key, name: DomainName.parse(plan.key.name), secret: Buffer.from(plan.key.secret, 'base64') };
const zone = DomainName.parse(plan.zone);
const measure = { singles, large }[plan.kind];
console.log(JSON.stringify(await measure(plan)));

/** Each client adds records sequentially by UDP for `seconds` seconds. */
async function singles({ clients, seconds, prefix }) {
  const end = performance.now() + seconds * 1000;
  const taken = [];
  const begin = performance.now();
  await Promise.all(Array.from({ length: clients }, (_, client) => addUntil(end, `${prefix}-${client}`, taken)));
  const perSecond = (taken.length / (performance.now() - begin)) * 1000;
  return { perSecond, done: taken.length, ...quantiles(taken) };
}

async function addUntil(end, prefix, taken) {
  const socket = createSocket('udp4');
  socket.connect(plan.port, '127.0.0.1');
  await once(socket, 'connect');
  for (let count = 0; performance.now() < end; count += 1) {
    const message = update(count & 0xffff, { updates: [address(`${prefix}-${count}`)] });
    const begin = performance.now();
    await answered(socket, message);
    taken.push(performance.now() - begin);
  }
  socket.close();
}

async function answered(socket, message) {
  for (;;) {
    socket.send(message);
    const answer = await Promise.race([once(socket, 'message'), delay(PATIENCE, null, { ref: false })]);
    if (answer === null) continue;
    assertDone(answer[0]);
    return;
  }
}

/** Adds, queries and deletes `records` records in one TCP message; the best of `times` runs, in milliseconds. */
async function large({ records, times }) {
  const names = Array.from({ length: records }, (_, at) => `h${at}`);
  const kinds = {
    added: { updates: names.map((name) => address(name)) },
    asked: { prerequisites: names.map((name) => ({ ...address(name), class: ANY, ttl: 0, rdata: new Uint8Array() })) },
    deleted: { updates: names.map((name) => ({ ...address(name), class: ANY, ttl: 0, rdata: new Uint8Array() })) },
  };
  const best = {};
  for (let time = 0; time < times; time += 1)
    for (const [kind, sections] of Object.entries(kinds)) {
      const message = update(time, sections);
      const begin = performance.now();
      await exchange(message);
      best[kind] = Math.min(best[kind] ?? Infinity, performance.now() - begin);
      best.octets = message.length;
    }
  return best;
}

function exchange(message) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: plan.port, noDelay: true });
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      assertDone(received.subarray(2));
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
    socket.write(framed(message));
  });
}

function assertDone(answer) {
  const rcode = answer.readUInt8(3) & 0xf;
  if (rcode !== 0) throw new Error(`an update is answered RCODE ${rcode}`);
}

function address(label) {
  const owner = DomainName.parse(label, zone);
  return { owner, type: A, class: IN, ttl: 300, rdata: Uint8Array.of(192, 0, 2, 1) };
}

function update(id, { prerequisites = [], updates = [] }) {
  const questions = [{ name: zone, type: SOA, class: IN }];
  const octets = writeMessage({
    header: requestHeader(id, UPDATE),
    questions,
    answers: prerequisites,
    authorities: updates,
  });
  return new TsigClient(key, () => Math.floor(Date.now() / 1000)).sign(octets);
}
