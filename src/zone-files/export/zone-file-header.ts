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
 * Reads of which zone a file is, up to its SOA record: the record's owner, mailbox and ttl are those of the zone.
 * @throws ServiceError `invalid_object` where the file does not say
 */
export async function readZoneHeader(file: ZoneFile, types: RecordTypes): Promise<NewZone> {
  const faults = new ImportErrors();
  const soa = await findSoa(file, types, faults);
  if (soa === null) {
    // An SOA record that cannot be read is among them.
    faults.assertNone();
    throw refused('The zone file has no SOA record, so it does not name its zone.');
  }
  const { owner, ttl, rdata } = soa;
  if (owner.isWithin(UNNAMED))
    throw refused('The zone file does not name its zone: begin it with $ORIGIN and the name of the zone.');
  return { name: owner.toString(), email: mailboxIn(rdata), ...(ttl === null ? {} : { ttl }) };
}

async function findSoa(file: ZoneFile, types: RecordTypes, faults: ImportErrors): Promise<MasterFileRecord | null> {
  const found: MasterFileRecord[] = [];
  const reader = new MasterFileReader(
    { origin: DomainName.ROOT, initialOrigin: UNNAMED, types },
    {
      record: (record) => {
        if (record.type.name === SOA.name) found.push(record);
      },
      error: (fault) => faults.add(fault),
      generated: () => undefined,
      signature: () => undefined,
      repair: () => undefined,
    },
  );
  for await (const octets of file.octets()) {
    reader.push(octets);
    if (found.length > 0 || reader.hasStopped) break;
  }
  reader.end();
  return found[0] ?? null;
}

/** RFC 1035 §3.3.13: the second name in it. */
function mailboxIn(rdata: Uint8Array): string {
  const primary = DomainName.read(rdata);
  return mailboxOf(DomainName.read(rdata, primary.wire.length));
}

function refused(message: string): ServiceError {
  return new ServiceError('invalid_object', message);
}
