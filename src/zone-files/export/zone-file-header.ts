import { ServiceError } from '../../common/service-error.js';
import { mailboxOf } from '../../dns/mailbox.js';
import type { MasterFileRecord } from '../../dns/master-file/master-file.js';
import { MasterFileReader } from '../../dns/master-file/master-file-reader.js';
import { DomainName } from '../../dns/name.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { NewZone } from '../../zones/zone-fields.js';
import { ImportErrors } from '../import/import-errors.js';
import type { ZoneFile } from '../zone-file.js';

/** Stands for the name of the zone where the file has not said it; `.` is the name of a zone. */
const UNNAMED = DomainName.parse('no-origin.invalid.');

/**
 * Reads of which zone a file is, up to its SOA record: the record's owner, mailbox and ttl are those of the zone. A `$TTL` between
 * the SOA and the next record is the ttl of the zone, and that of the SOA is the SOA's own (behaviour 13.5).
 * @throws ServiceError `invalid_object` where the file does not say
 */
export async function readZoneHeader(file: ZoneFile, types: RecordTypes): Promise<NewZone> {
  const faults = new ImportErrors();
  const { soa, ttlBehind } = await readHead(file, types, faults);
  if (soa === null) {
    // An SOA record that cannot be read is among them.
    faults.assertNone();
    throw refused('The zone file has no SOA record, so it does not name its zone.');
  }
  const { owner, ttl: soaTtl, rdata } = soa;
  const ttl = ttlBehind ?? soaTtl;
  if (owner.isWithin(UNNAMED))
    throw refused('The zone file does not name its zone: begin it with $ORIGIN and the name of the zone.');
  return { name: owner.toString(), email: mailboxIn(rdata), soaTtl, ...(ttl === null ? {} : { ttl }) };
}

/** What a file says up to the record behind its SOA. */
interface FileHead {
  soa: MasterFileRecord | null;
  /** Of the `$TTL` between the two, in seconds. */
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

/** RFC 1035 §3.3.13: the second name in it. */
function mailboxIn(rdata: Uint8Array): string {
  const primary = DomainName.read(rdata);
  return mailboxOf(DomainName.read(rdata, primary.wire.length));
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_object', message);
}
