import { MAX_TTL } from '../../common/field-limits.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { mailboxFault, mailboxOf } from '../../dns/mailbox.js';
import type { DomainName } from '../../dns/name.js';
import { type RecordTypes, SOA } from '../../dns/rdata/index.js';
import type { ResourceRecord } from '../../dns/message/resource-record.js';
import { type RecordContent, transferredContentOf } from '../../records/record-content.js';
import type { Generation } from '../../zones/generation.js';
import type { ReceivedZone } from './received-zone.js';

/** The contents of a zone after a transfer. */
export interface TransferredContents {
  readonly serial: number;
  /** The mailbox of the SOA record; `null` where the name stands for none. */
  readonly email: string | null;
  /** Of the SOA record, in seconds. */
  readonly ttl: number;
  readonly generation: Generation;
  /** How many records there are. */
  readonly count: number;
  /** How many octets they were sent in. */
  readonly octets: number;
  /** All of them, some at a time: some ten milliseconds' work. They are read anew each time, since together they may be large. */
  portions(): AsyncIterable<readonly RecordContent[]>;
}

/** Of one portion: records, and octets of their data. */
const PORTION = 500;
const PORTION_OCTETS = 65_536;

/**
 * Reads the records of a master as records of ours.
 * @param types every type that may be stored
 * @param stop breaks it off
 * @throws the reason of `stop`
 */
export async function readContents(
  received: ReceivedZone,
  types: RecordTypes,
  stop: AbortSignal,
): Promise<TransferredContents> {
  const { soa, octets } = received;
  const { serial, primary, mailbox, refresh, retry, expire, minimum } = SOA.values(soa.rdata);
  const authority = { primary: primary.toString(), mailbox: mailbox.toString() };
  const generation = { nameServers: [], refresh, retry, expire, negativeTtl: minimum, authority };
  const portions = (): AsyncIterable<readonly RecordContent[]> => chunksOf(received, types);
  let count = 0;
  for await (const chunk of portions()) {
    count += chunk.length;
    await nextTurn();
    stop.throwIfAborted();
  }
  return { serial, email: emailOf(mailbox), ttl: ttlOf(soa), generation, count, octets, portions };
}

/** RFC 1035 §8. */
function emailOf(name: DomainName): string | null {
  const address = mailboxOf(name);
  return mailboxFault(address) === null ? address : null;
}

async function* chunksOf(received: ReceivedZone, types: RecordTypes): AsyncGenerator<readonly RecordContent[]> {
  let chunk: RecordContent[] = [];
  let octets = 0;
  for await (const records of received.portions())
    for (const record of records) {
      chunk.push(readRecord(record, types));
      octets += record.rdata.length;
      if (chunk.length < PORTION && octets < PORTION_OCTETS) continue;
      yield chunk;
      chunk = [];
      octets = 0;
    }
  if (chunk.length > 0) yield chunk;
}

/** Each has a ttl of its own: that of the zone is the SOA's, which may be another one next time. */
function readRecord(record: ResourceRecord, types: RecordTypes): RecordContent {
  const { owner, type, rdata } = record;
  return transferredContentOf(types, { owner, code: type, rdata, ttl: ttlOf(record) });
}

/** RFC 2181 §8: one with the highest bit set means 0. */
function ttlOf({ ttl }: ResourceRecord): number {
  return ttl > MAX_TTL ? 0 : ttl;
}
