import { ServiceError } from '../../common/service-error.js';
import { mailboxOf } from '../../dns/mailbox.js';
import type { MasterFileRecord } from '../../dns/master-file/master-file.js';
import { MasterFileReader } from '../../dns/master-file/master-file-reader.js';
import { DomainName } from '../../dns/name.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { NewZone } from '../../zones/zone-fields.js';
import { ImportErrors } from './import-errors.js';
import type { ZoneFile } from '../zone-file.js';

/** Origin until the file names its zone; `.` would be a valid zone name. */
const UNNAMED = DomainName.parse('no-origin.invalid.');

/** A `$TTL` between the SOA and the next record is the ttl of the zone; the SOA then keeps its own (behaviour 13.5). */
export async function readZoneHeader(file: ZoneFile, types: RecordTypes): Promise<NewZone> {
  const faults = new ImportErrors();
  const { soa, ttlBehind } = await readHead(file, types, faults);
  if (soa === null) {
    // Includes an unreadable SOA record.
    faults.assertNone();
    throw refused('The zone file has no SOA record, so it does not name its zone.');
  }
  const { owner, ttl: soaTtl, rdata } = soa;
  const ttl = ttlBehind ?? soaTtl;
  if (owner.isWithin(UNNAMED))
    throw refused('The zone file does not name its zone: begin it with $ORIGIN and the name of the zone.');
  return { name: owner.toString(), email: mailboxIn(rdata), soaTtl, ...(ttl === null ? {} : { ttl }) };
}

interface FileHead {
  soa: MasterFileRecord | null;
  /** The `$TTL` between the SOA and the next record. */
  ttlBehind: number | null;
  isComplete: boolean;
}

async function readHead(file: ZoneFile, types: RecordTypes, faults: ImportErrors): Promise<FileHead> {
  const head: FileHead = { soa: null, ttlBehind: null, isComplete: false };
  const complete = (): void => {
    head.isComplete = head.soa !== null;
  };
  const reader = new MasterFileReader(
    { origin: DomainName.ROOT, initialOrigin: UNNAMED, types },
    {
      record: (record) => {
        complete();
        if (record.type.name === SOA.name) head.soa ??= record;
      },
      defaultTtl: (ttl) => {
        if (head.soa !== null && !head.isComplete) head.ttlBehind = ttl;
      },
      error: (fault) => faults.add(fault),
      generated: complete,
      signature: () => undefined,
      repair: () => undefined,
    },
  );
  for await (const octets of file.octets()) {
    reader.push(octets);
    if (head.isComplete || reader.hasStopped) break;
  }
  reader.end();
  return head;
}

/** RFC 1035 §3.3.13: the second name of the RDATA. */
function mailboxIn(rdata: Uint8Array): string {
  const primary = DomainName.read(rdata);
  return mailboxOf(DomainName.read(rdata, primary.wire.length));
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_object', message);
}
