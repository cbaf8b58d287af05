import { MAX_TTL } from '../../common/field-limits.js';
import { ServiceError } from '../../common/service-error.js';
import { nextStep } from '../../common/steps.js';
import { type RecordTypes, SOA } from '../../dns/rdata/index.js';
import { TYPE_CODES } from '../../dns/rdata/type-names.js';
import type { ResourceRecord } from '../../dns/wire/resource-record.js';
import { contentOf, type RecordContent } from '../../records/record-content.js';
import type { Generation } from '../../zones/generation.js';
import type { ReceivedZone } from './master-client.js';
import { TransferError } from './transfer-error.js';

/** What a zone is to hold after a transfer. */
export interface TransferredContents {
  readonly serial: number;
  /** Of the SOA record, in seconds. */
  readonly ttl: number;
  readonly generation: Generation;
  readonly contents: readonly RecordContent[];
}

/** So many records are read before others get their turn. */
const TURN = 500;

/**
 * Reads the records of a master as records of ours.
 * @throws TransferError for the first that cannot be one
 */
export async function readContents({ soa, records }: ReceivedZone, types: RecordTypes): Promise<TransferredContents> {
  const { serial, primary, mailbox, refresh, retry, expire, minimum } = SOA.values(soa.rdata);
  const contents: RecordContent[] = [];
  for (const record of records) {
    contents.push(readRecord(record, types));
    if (contents.length % TURN === 0) await nextStep();
  }
  const authority = { primary: primary.toString(), mailbox: mailbox.toString() };
  const generation = { nameServers: [], refresh, retry, expire, negativeTtl: minimum, authority };
  return { serial, ttl: ttlOf(soa), generation, contents };
}

/** Each has a ttl of its own: that of the zone is the SOA's, which may be another one next time. */
function readRecord(record: ResourceRecord, types: RecordTypes): RecordContent {
  const { owner, type: code, rdata } = record;
  const type = types.byCode(code);
  if (type === undefined) throw refusal(`${owner.toString()} ${nameOf(code)}: records of that type are not taken`);
  try {
    return contentOf({ owner, type, rdata, ttl: ttlOf(record) });
  } catch (error) {
    throw error instanceof ServiceError ? refusal(`${owner.toString()} ${type.name}: ${error.message}`) : error;
  }
}

/** RFC 2181 §8: one with the highest bit set means 0. */
function ttlOf({ ttl }: ResourceRecord): number {
  return ttl > MAX_TTL ? 0 : ttl;
}

function nameOf(code: number): string {
  for (const [name, known] of TYPE_CODES) if (known === code) return name;
  return `TYPE${code}`;
}

function refusal(message: string): TransferError {
  return new TransferError(message, true);
}
