import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/index.js';
import { MetaType, RecordClass } from '../../dns/wire/codes.js';
import { requestHeader } from '../../dns/wire/header.js';
import type { Message } from '../../dns/wire/message.js';
import { MessageError } from '../../dns/wire/message-error.js';
import { readMessage } from '../../dns/wire/message-reader.js';
import { framed, writeMessage } from '../../dns/wire/message-writer.js';
import { Opcode } from '../../dns/wire/opcode.js';
import { Rcode, rcodeName } from '../../dns/wire/rcode.js';
import type { ResourceRecord } from '../../dns/wire/resource-record.js';
import { MessageFrames } from '../../dns/wire/message-frames.js';
import { TransferError } from './transfer-error.js';

/** Where a master is asked. */
export interface MasterAddress {
  /** An IP address. */
  readonly address: string;
  readonly port: number;
}

/** A zone as a master has sent it. */
export interface ReceivedZone {
  readonly soa: ResourceRecord;
  /** All others, in the master's order. */
  readonly records: readonly ResourceRecord[];
}

export interface ReceivingBounds {
  /** In octets, of all messages of a transfer. */
  readonly octets: number;
  /** In milliseconds: without a message, and for all of it. */
  readonly silence: number;
  readonly duration: number;
  /** Is told how many records there are so far; what it throws ends the transfer. */
  readonly admit: (records: number) => void;
}

const SOA_BOUNDS: ReceivingBounds = { octets: 0xffff, silence: 10_000, duration: 10_000, admit: () => undefined };

/**
 * The SOA record that a master has of a zone.
 * @throws TransferError
 */
export async function askForSoa(master: MasterAddress, zone: DomainName, stop: AbortSignal): Promise<ResourceRecord> {
  for await (const { header, answers } of exchange(master, zone, SOA.code, SOA_BOUNDS, stop)) {
    const soa = answers.find((record) => isSoaOf(record, zone));
    if (soa !== undefined && header.isAuthoritative) return soa;
    throw new TransferError(`${label(master)} is not authoritative for the zone`, true);
  }
  throw endedEarly(master);
}

/**
 * All of a zone, by AXFR (RFC 5936).
 * @throws TransferError, and what `bounds.admit` throws
 */
export async function transferZone(
  master: MasterAddress,
  zone: DomainName,
  bounds: ReceivingBounds,
  stop: AbortSignal,
): Promise<ReceivedZone> {
  const receiving = new Receiving(master, zone);
  for await (const { answers } of exchange(master, zone, MetaType.AXFR, bounds, stop)) {
    const received = receiving.take(answers);
    bounds.admit(receiving.count);
    if (received !== null) return received;
  }
  throw endedEarly(master);
}

/** The records of a transfer, one message after the other (RFC 5936 §2.2). */
class Receiving {
  private soa: ResourceRecord | null = null;
  private readonly records: ResourceRecord[] = [];

  constructor(
    private readonly master: MasterAddress,
    private readonly zone: DomainName,
  ) {}

  get count(): number {
    return this.records.length;
  }

  /** Returns the zone once its end has come. */
  take(answers: readonly ResourceRecord[]): ReceivedZone | null {
    for (const [at, record] of answers.entries()) {
      const isSoa = isSoaOf(record, this.zone);
      if (this.soa === null) {
        if (!isSoa) throw this.fault('does not begin with the SOA of the zone');
        this.soa = record;
      } else if (isSoa) return this.end(this.soa, record, at === answers.length - 1);
      else this.add(record);
    }
    if (answers.length === 0) throw this.fault('has a message without records');
    return null;
  }

  private add(record: ResourceRecord): void {
    if (record.class !== RecordClass.IN) throw this.fault(`has a record of class ${record.class}`);
    // A server may send what lies around the zone, which is none of it.
    if (record.owner.isWithin(this.zone)) this.records.push(record);
  }

  private end(first: ResourceRecord, last: ResourceRecord, isAtEnd: boolean): ReceivedZone {
    if (SOA.values(first.rdata).serial !== SOA.values(last.rdata).serial)
      throw this.fault('begins and ends with different serials');
    if (!isAtEnd) throw this.fault('goes on behind its end');
    return { soa: first, records: this.records };
  }

  private fault(what: string): TransferError {
    return new TransferError(`the transfer from ${label(this.master)} ${what}`, true);
  }
}

/** Sends one question over a connection of its own, and gives the messages that answer it. */
async function* exchange(
  master: MasterAddress,
  zone: DomainName,
  type: number,
  bounds: ReceivingBounds,
  stop: AbortSignal,
): AsyncGenerator<Message> {
  const id = randomInt(0x10000);
  const question = { name: zone, type, class: RecordClass.IN };
  const query = framed(writeMessage({ header: requestHeader(id, Opcode.QUERY), questions: [question] }));
  const socket = connect({ host: master.address, port: master.port });
  const end = endInTime(socket, master, bounds, stop);
  try {
    await once(socket, 'connect');
    socket.write(query);
    for await (const octets of messagesOf(socket, master, bounds)) yield answerIn(octets, id, master);
  } catch (error) {
    throw asTransferError(error, master);
  } finally {
    end();
    socket.destroy();
  }
}

async function* messagesOf(socket: Socket, master: MasterAddress, { octets }: ReceivingBounds): AsyncGenerator<Buffer> {
  const frames = new MessageFrames();
  let received = 0;
  for await (const chunk of socket) {
    // Without an encoding a socket gives buffers.
    const buffer = chunk as Buffer;
    received += buffer.length;
    if (received > octets + 2 * FRAME_OCTETS) throw new TransferError(`${label(master)} sends too much`, true);
    frames.add(buffer);
    for (let message = frames.next(); message !== null; message = frames.next()) yield message;
  }
}

const FRAME_OCTETS = 2;

/** @throws TransferError for what is no answer, or says no */
function answerIn(octets: Buffer, id: number, master: MasterAddress): Message {
  const message = readMessage(octets);
  const { header } = message;
  if (header.id !== id || !header.isResponse || header.opcode !== Opcode.QUERY)
    throw new TransferError(`${label(master)} answers something else`, true);
  if (header.rcode === Rcode.NOERROR) return message;
  throw new TransferError(`${label(master)} says ${rcodeName(header.rcode)}`, header.rcode !== Rcode.SERVFAIL);
}

/** Destroys the socket when nothing comes for too long, or all of it takes too long; returns what ends the watch. */
function endInTime(
  socket: Socket,
  master: MasterAddress,
  { silence, duration }: ReceivingBounds,
  stop: AbortSignal,
): () => void {
  const giveUp = (): void => {
    socket.destroy(new TransferError(`${label(master)} does not answer in time`, false));
  };
  socket.setTimeout(silence, giveUp);
  const timer = setTimeout(giveUp, duration);
  stop.addEventListener('abort', giveUp);
  if (stop.aborted) giveUp();
  return () => {
    clearTimeout(timer);
    stop.removeEventListener('abort', giveUp);
  };
}

/** What the network, the message reader or the master says. */
function asTransferError(error: unknown, master: MasterAddress): unknown {
  if (error instanceof MessageError) return new TransferError(`${label(master)} sends no DNS: ${error.message}`, true);
  const { syscall, code = '' } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new TransferError(`${label(master)}: ${code}`, false);
}

function isSoaOf({ owner, type, class: recordClass }: ResourceRecord, zone: DomainName): boolean {
  return type === SOA.code && recordClass === RecordClass.IN && owner.equals(zone);
}

function endedEarly(master: MasterAddress): TransferError {
  return new TransferError(`${label(master)} ends the connection before the answer`, false);
}

function label({ address, port }: MasterAddress): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
