import { MasterFileReader } from '../../dns/master-file/master-file-reader.js';
import type { MasterFileError, MasterFileRecord } from '../../dns/master-file/master-file.js';
import { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/soa.js';
import { contentOf } from '../../records/record-content.js';
import { type DroppedRecord, SigningRecords } from '../../zone-files/import/signing-records.js';
import { onlyOne, type Reading, type ContentInput, type RrsetInput } from '../rrsets/rrset-input.js';
import { refuse } from '../input.js';

/** Of an entry without one, in seconds. */
const DEFAULT_TTL = 3600;

/**
 * The record sets of a master file.
 * @throws ServiceError for the first error in it
 */
export function readZoneText(text: string, { types, zone }: Reading, most: number): RrsetInput[] {
  const origin = DomainName.parse(zone.name);
  const sets = new Map<string, RrsetInput & { readonly records: ContentInput[] | null }>();
  const add = (record: MasterFileRecord): void => {
    const { owner, type, ttl } = record;
    const key = `${owner.key} ${type.name}`;
    const found = sets.get(key);
    const name = owner.toString();
    if (!owner.isWithin(origin)) refuse(`RRset ${name} IN ${type.name}: Name is out of zone`);
    if (type.name === SOA.name) {
      // What a transfer has written ends with the SOA that it begins with.
      if (found?.soa === type.toText(record.rdata)) return;
      if (found !== undefined) refuse(onlyOne(name, SOA.name));
      sets.set(key, { ...setOf(record), records: null, soa: type.toText(record.rdata) });
      return;
    }
    const content = contentOf({ ...record, ttl: found?.ttl ?? ttl ?? DEFAULT_TTL });
    // In a file, the same record twice is one.
    if (found?.records?.some((other) => other.content.fingerprint === content.fingerprint) === true) return;
    if (found === undefined) sets.set(key, { ...setOf(record), records: [{ content, isDisabled: false }], soa: null });
    else found.records?.push({ content, isDisabled: false });
    if (sets.size > most) refuse(`A request has at most ${most} rrsets`);
  };
  const signing = new SigningRecords(origin);
  const sort = (records: readonly (MasterFileRecord | DroppedRecord)[]): void => {
    for (const record of records) if ('rdata' in record) add(record);
  };
  const fail = ({ line, message }: MasterFileError): never =>
    refuse(`Unable to parse zone data: line ${line - 1}: ${message}`);
  // Of the root, so that names outside are refused in words of ours.
  const reader = new MasterFileReader(
    { origin: DomainName.ROOT, types },
    {
      record: (record) => sort(signing.record(record)),
      error: fail,
      signature: (signature) => sort(signing.signature(signature)),
    },
  );
  reader.push(Buffer.from(`$ORIGIN ${zone.name}\n${text}`));
  reader.end();
  sort(signing.release());
  return [...sets.values()];
}

function setOf({ owner, type, ttl }: MasterFileRecord): Omit<RrsetInput, 'records' | 'soa'> {
  const key = { name: owner.toString(), ownerKey: owner.key, type: type.name };
  return { ...key, changetype: 'REPLACE', ttl: ttl ?? DEFAULT_TTL, comments: null };
}
