import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/index.js';
import { MetaType, RecordClass } from '../../dns/message/codes.js';
import { requestHeader } from '../../dns/message/header.js';
import type { Message } from '../../dns/message/message.js';
import { MessageError } from '../../dns/message/message-error.js';
import { readTransferMessage } from '../../dns/message/message-reader.js';
import { framed, writeMessage } from '../../dns/message/message-writer.js';
import { Opcode } from '../../dns/message/opcode.js';
import { Rcode, rcodeName } from '../../dns/message/rcode.js';
import type { ResourceRecord } from '../../dns/message/resource-record.js';
import { MessageFrames } from '../../dns/message/message-frames.js';
import { isSoaOf, type ReceivedZone, TransferReader, type Reception } from './received-zone.js';
import { TransferError } from './transfer-error.js';

/** Where a master is asked. */
export interface PrimaryAddress {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  /** As its owner knows it: a name is not told where it leads to. */
  readonly label: string;
}

/** What an answer may take. */
interface ReceptionLimits {
  /** In milliseconds. */
  readonly window: number;
  /** Octets that have to come in each window: whoever sends less only keeps a slot occupied. */
  readonly least: number;
  /** In octets, of all messages. */
  readonly most: number;
}

/** All of it comes in one window. */
const FOR_SOA: ReceptionLimits = { window: 10_000, least: Infinity, most: 2 + 0xffff };
/** Whoever asks has bounds for what comes, and for the time of all of it. */
const FOR_ZONE: ReceptionLimits = { window: 30_000, least: 30 * 1024, most: Infinity };

/**
 * The SOA record that a master has of a zone.
 * @throws TransferError
 */
export async function askForSoa(primary: PrimaryAddress, zone: DomainName, stop: AbortSignal): Promise<ResourceRecord> {
  for await (const { message } of exchange(primary, zone, SOA.code, FOR_SOA, stop)) {
    const { header, answers } = message;
    const soa = answers.find((record) => isSoaOf(record, zone));
    if (soa !== undefined && header.isAuthoritative) return soa;
    throw new TransferError(`${primary.label} is not authoritative for the zone`, true);
  }
  throw endedEarly(primary);
}

/**
 * All of a zone, by AXFR (RFC 5936).
 * @param stop breaks it off
 * @throws TransferError, and what the reception throws
 */
export async function transferZone(
  primary: PrimaryAddress,
  zone: DomainName,
  reception: Reception,
  stop: AbortSignal,
): Promise<ReceivedZone> {
  const receiving = new TransferReader(primary.label, zone, reception);
  let since = performance.now();
  for await (const { octets, message } of exchange(primary, zone, MetaType.AXFR, FOR_ZONE, stop)) {
    const received = await receiving.take(octets, message);
    if (received !== null) return received;
    // Whoever sends fast has the next message here before anybody else had a turn.
    if (performance.now() - since < LONGEST_TURN) continue;
    await nextTurn();
    since = performance.now();
  }
  throw endedEarly(primary);
}

/** In milliseconds. */
const LONGEST_TURN = 2;

interface Answer {
  readonly octets: Buffer;
  readonly message: Message;
}

/** Sends one question over a connection of its own, and gives the messages that answer it. */
async function* exchange(
  primary: PrimaryAddress,
  zone: DomainName,
  type: number,
  limits: ReceptionLimits,
  stop: AbortSignal,
): AsyncGenerator<Answer> {
  const id = randomInt(0x10000);
  const question = { name: zone, type, class: RecordClass.IN };
  const query = framed(writeMessage({ header: requestHeader(id, Opcode.QUERY), questions: [question] }));
  const socket = connect({ host: primary.address, port: primary.port });
  const end = endInTime(socket, primary, limits, stop);
  try {
    await once(socket, 'connect');
    socket.write(query);
    for await (const octets of messagesOf(socket, primary, limits)) yield answerIn(octets, id, primary);
  } catch (error) {
    throw asTransferError(error, primary);
  } finally {
    end();
    socket.destroy();
  }
}

async function* messagesOf(socket: Socket, primary: PrimaryAddress, { most }: ReceptionLimits): AsyncGenerator<Buffer> {
  const frames = new MessageFrames();
  let received = 0;
  for await (const chunk of socket) {
    // Without an encoding a socket gives buffers.
    const buffer = chunk as Buffer;
    received += buffer.length;
    if (received > most) throw new TransferError(`${primary.label} sends too much`, true);
    frames.add(buffer);
    for (let message = frames.next(); message !== null; message = frames.next()) yield message;
  }
}

/** @throws TransferError for what is no answer, or says no */
function answerIn(octets: Buffer, id: number, primary: PrimaryAddress): Answer {
  const message = readTransferMessage(octets);
  const { header } = message;
  if (header.id !== id || !header.isResponse || header.opcode !== Opcode.QUERY)
    throw new TransferError(`${primary.label} answers another question`, true);
  if (header.rcode === Rcode.NOERROR) return { octets, message };
  throw new TransferError(`${primary.label} says ${rcodeName(header.rcode)}`, header.rcode !== Rcode.SERVFAIL);
}

/** Destroys the socket when too little has come in time; returns what ends the watch. */
function endInTime(
  socket: Socket,
  primary: PrimaryAddress,
  { window, least }: ReceptionLimits,
  stop: AbortSignal,
): () => void {
  const giveUp = (what: string): void => {
    socket.destroy(new TransferError(`${primary.label} ${what}`, false));
  };
  let before = 0;
  const watch = setInterval(() => {
    if (socket.bytesRead - before < least) giveUp('does not answer in time');
    before = socket.bytesRead;
  }, window);
  const breakOff = (): void => giveUp('has not answered so far');
  stop.addEventListener('abort', breakOff);
  if (stop.aborted) breakOff();
  return () => {
    clearInterval(watch);
    stop.removeEventListener('abort', breakOff);
  };
}

/** What the network, the message reader or the master says. */
function asTransferError(error: unknown, primary: PrimaryAddress): unknown {
  if (error instanceof MessageError)
    return new TransferError(`${primary.label} sends malformed DNS: ${error.message}`, true);
  const { syscall, code = '' } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new TransferError(`${primary.label}: ${code}`, false);
}

function endedEarly(primary: PrimaryAddress): TransferError {
  return new TransferError(`${primary.label} closed the connection before it answered`, false);
}
