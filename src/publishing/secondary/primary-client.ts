import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { SystemClock, toUnixSeconds } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/index.js';
import { MetaType, RecordClass, Opcode, Rcode, rcodeName } from '../../dns/message/codes.js';
import { requestHeader } from '../../dns/message/header.js';
import { type Message, MessageError, type ResourceRecord } from '../../dns/message/message.js';
import { readTransferMessage } from '../../dns/message/message-reader.js';
import { framed, writeMessage } from '../../dns/message/message-writer.js';
import { MessageFrames } from '../../dns/message/message-frames.js';
import { TsigClient, TsigError } from '../../dns/message/tsig/tsig-client.js';
import type { TsigKey } from '../../dns/message/tsig/tsig-key.js';
import { completeHandshake, connectOverTls, type PrimaryTls } from './primary-tls.js';
import { isSoaOf, type ReceivedZone, TransferReader, type Reception, TransferError } from './received-zone.js';

export interface PrimaryAddress {
  readonly address: string;
  readonly port: number;
  /** The configured name or address. Messages do not reveal resolved addresses. */
  readonly label: string;
  /** Signs the question and verifies the answer. */
  readonly key?: TsigKey | undefined;
  /** Never without TLS then. */
  readonly tls?: PrimaryTls;
}

interface ReceptionLimits {
  /** In milliseconds. */
  readonly window: number;
  /** Minimum octets per window. Slower senders would only occupy a slot. */
  readonly least: number;
  /** Maximum octets of all messages. */
  readonly most: number;
}

/** The answer has to arrive in one window. */
const FOR_SOA: ReceptionLimits = { window: 10_000, least: Infinity, most: 2 + 0xffff };
/** The caller limits total size and time. */
const FOR_ZONE: ReceptionLimits = { window: 30_000, least: 30 * 1024, most: Infinity };

/** @throws TransferError */
export async function askForSoa(primary: PrimaryAddress, zone: DomainName, stop: AbortSignal): Promise<ResourceRecord> {
  for await (const { message } of exchange(primary, zone, SOA.code, FOR_SOA, stop)) {
    const { header, answers } = message;
    const soa = answers.find((record) => isSoaOf(record, zone));
    if (soa !== undefined && header.isAuthoritative) return soa;
    throw new TransferError(`${primary.label} is not authoritative for the zone`, true, 'not_authoritative');
  }
  throw endedEarly(primary);
}

/** @throws TransferError, and errors of the reception */
export async function transferZone(
  primary: PrimaryAddress,
  zone: DomainName,
  reception: Reception,
  stop: AbortSignal,
): Promise<ReceivedZone> {
  const receiving = new TransferReader(primary.label, zone, reception);
  let since = performance.now();
  for await (const { octets, message, isVerified } of exchange(primary, zone, MetaType.AXFR, FOR_ZONE, stop)) {
    const received = await receiving.take(octets, message);
    if (received !== null && isVerified) return received;
    if (received !== null) throw badSignature(primary, 'the last message is not signed');
    // A fast sender would otherwise block the event loop.
    if (performance.now() - since < LONGEST_TURN) continue;
    await nextTurn();
    since = performance.now();
  }
  throw endedEarly(primary);
}

/** In milliseconds. */
const LONGEST_TURN = 2;

const clock = new SystemClock();
const unixClock = (): number => toUnixSeconds(clock.now());

interface Answer {
  readonly octets: Buffer;
  readonly message: Message;
  /** With a key: a signature covers this message and all before it. */
  readonly isVerified: boolean;
}

async function* exchange(
  primary: PrimaryAddress,
  zone: DomainName,
  type: number,
  limits: ReceptionLimits,
  stop: AbortSignal,
): AsyncGenerator<Answer> {
  const id = randomInt(0x10000);
  const question = { name: zone, type, class: RecordClass.IN };
  const signature = primary.key === undefined ? null : new TsigClient(primary.key, unixClock);
  const query = writeMessage({ header: requestHeader(id, Opcode.QUERY), questions: [question] });
  const socket = await open(primary);
  const end = endInTime(socket, primary, limits, stop);
  try {
    if (socket instanceof TLSSocket) await completeHandshake(socket, primary);
    else await once(socket, 'connect');
    socket.write(framed(signature?.sign(query) ?? query));
    for await (const octets of messagesOf(socket, primary, limits)) {
      const answer = answerIn(octets, id, primary);
      signature?.verifyNext(octets, answer);
      yield { octets, message: answer, isVerified: signature?.hasVerifiedAll ?? true };
    }
  } catch (error) {
    throw asTransferError(error, primary);
  } finally {
    end();
    socket.destroy();
  }
}

function open({ address: host, port, tls }: PrimaryAddress): Socket | Promise<TLSSocket> {
  return tls === undefined ? connect({ host, port }) : connectOverTls({ host, port }, tls);
}

async function* messagesOf(socket: Socket, primary: PrimaryAddress, { most }: ReceptionLimits): AsyncGenerator<Buffer> {
  const frames = new MessageFrames();
  let received = 0;
  for await (const chunk of socket) {
    // A socket without encoding yields buffers.
    const buffer = chunk as Buffer;
    received += buffer.length;
    if (received > most) throw new TransferError(`${primary.label} exceeds the size limit`, true, 'too_large');
    frames.add(buffer);
    for (let message = frames.next(); message !== null; message = frames.next()) yield message;
  }
}

/** @throws TransferError for other messages and for error RCODEs */
function answerIn(octets: Buffer, id: number, primary: PrimaryAddress): Message {
  const message = readTransferMessage(octets);
  const { header } = message;
  if (header.id !== id || !header.isResponse || header.opcode !== Opcode.QUERY)
    throw new TransferError(`${primary.label} answered another question`, true);
  if (header.rcode === Rcode.NOERROR) return message;
  throw new TransferError(
    `${primary.label} answered ${rcodeName(header.rcode)}`,
    header.rcode !== Rcode.SERVFAIL,
    'refused',
  );
}

/** Destroys the socket if it is too slow. Returns a function that stops the checks. */
function endInTime(
  socket: Socket,
  primary: PrimaryAddress,
  { window, least }: ReceptionLimits,
  stop: AbortSignal,
): () => void {
  const giveUp = (what: string): void => {
    socket.destroy(new TransferError(`${primary.label} ${what}`, false, 'no_answer'));
  };
  let before = 0;
  const watch = setInterval(() => {
    if (socket.bytesRead - before < least) giveUp('did not answer in time');
    before = socket.bytesRead;
  }, window);
  const breakOff = (): void => giveUp('did not answer before the end');
  stop.addEventListener('abort', breakOff);
  if (stop.aborted) breakOff();
  return () => {
    clearInterval(watch);
    stop.removeEventListener('abort', breakOff);
  };
}

function asTransferError(error: unknown, primary: PrimaryAddress): unknown {
  if (error instanceof MessageError)
    return new TransferError(`${primary.label} sent malformed DNS: ${error.message}`, true);
  if (error instanceof TsigError) return badSignature(primary, error.message);
  const { syscall, code = '' } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new TransferError(`${primary.label}: ${code}`, false, 'unreachable');
}

function badSignature(primary: PrimaryAddress, cause: string): TransferError {
  return new TransferError(
    `${primary.label} sent an answer that does not fit the TSIG key: ${cause}`,
    true,
    'bad_signature',
  );
}

function endedEarly(primary: PrimaryAddress): TransferError {
  return new TransferError(`${primary.label} closed the connection before it answered`, false, 'no_answer');
}
