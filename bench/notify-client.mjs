/**
 * How long after the answer to a change its NOTIFY arrives: for changes by the API and for UPDATE messages, in turns. A name
 * server that has a zone as soon as it hears of it stands here.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { requestHeader } from '../dist/src/dns/message/header.js';
import { readMessage } from '../dist/src/dns/message/message-reader.js';
import { writeMessage } from '../dist/src/dns/message/message-writer.js';
import { TsigClient } from '../dist/src/dns/message/tsig/tsig-client.js';
import { DomainName } from '../dist/src/dns/name.js';
import { quantiles } from './statistics.mjs';

const NOTIFY = 4;
const UPDATE = 5;
const [A, SOA, IN] = [1, 6, 1];
/** In milliseconds: a zone that changes again and again is notified of less often. */
const BETWEEN = 50;

/** A server that has the current serial as soon as it is notified: it forwards queries and reports NOTIFYs. */
export class NotifiedServer {
  #socket = createSocket('udp4');
  #upstream = createSocket('udp4');
  #asking = new Map();
  #heard = () => undefined;
  /** The port at which Zonewright answers DNS. */
  primary = 0;

  static async start() {
    const server = new NotifiedServer();
    server.#socket.on('message', (octets, from) => server.#take(octets, from.port));
    server.#upstream.on('message', (octets) => server.#send(octets, server.#asking.get(octets.readUInt16BE(0))));
    server.#socket.bind(0, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  get address() {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  /** Resolves with the time of the next NOTIFY, by the clock of `performance.now()`. */
  next() {
    return new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  close() {
    this.#socket.close();
    this.#upstream.close();
  }

  #take(octets, port) {
    const { header, questions } = readMessage(octets);
    if (header.opcode === NOTIFY) {
      this.#heard(performance.now());
      this.#send(writeMessage({ header: { ...header, isResponse: true, isAuthoritative: true }, questions }), port);
      return;
    }
    // It is asked from the start of Zonewright on, whose port is known a little later.
    if (this.primary === 0) return;
    this.#asking.set(header.id, port);
    this.#upstream.send(octets, this.primary, '127.0.0.1');
  }

  #send(octets, port) {
    this.#socket.send(octets, port, '127.0.0.1');
  }
}

/**
 * Changes the zone by the API and by UPDATE in turns.
 * @param changed makes a change by the API, and resolves with its answer
 * @returns for both the times from the answer to the NOTIFY in milliseconds; less than 0 where the NOTIFY was first
 */
export async function notifyTimes({ server, changed, updated, times }) {
  const taken = { api: [], update: [] };
  for (let time = 0; time < times; time += 1)
    for (const [kind, change] of Object.entries({ api: changed, update: updated })) {
      const notified = server.next();
      await change(time);
      const answeredAt = performance.now();
      taken[kind].push((await notified) - answeredAt);
      await delay(BETWEEN);
    }
  return { api: quantiles(taken.api), update: quantiles(taken.update) };
}

/** Returns a function that sends UPDATE messages for an address and resolves with the response. */
export function updaterOf({ port, key, zone }) {
  const signer = { ...key, name: DomainName.parse(key.name), secret: Buffer.from(key.secret, 'base64') };
  const name = DomainName.parse(zone);
  const owner = DomainName.parse(`updated.${zone}`);
  const socket = createSocket('udp4').unref();
  return async (time) => {
    const octets = writeMessage({
      header: requestHeader(time, UPDATE),
      questions: [{ name, type: SOA, class: IN }],
      authorities: [{ owner, type: A, class: IN, ttl: 300, rdata: Uint8Array.of(192, 0, 2, time) }],
    });
    socket.send(new TsigClient(signer, () => Math.floor(Date.now() / 1000)).sign(octets), port, '127.0.0.1');
    const [answer] = await once(socket, 'message');
    const rcode = answer.readUInt8(3) & 0xf;
    if (rcode !== 0) throw new Error(`an update is answered RCODE ${rcode}`);
  };
}
