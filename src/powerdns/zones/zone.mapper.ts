import { mastersOf } from '../../zones/zone-type.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ZoneSummary } from '../../zones/lists/zone-summaries.js';
import { urlOfId, zoneIdOf, zoneUrlOf } from '../zone-id.js';
import { keptOf, type PowerDnsZoneFields } from './powerdns-zone-fields.js';

/**
 * Writes zones as they stand in lists, each by itself: a list may have hundreds of thousands. Keys are in alphabetical order,
 * as clients without a reader of JSON expect.
 */
export function listedZones(hasDnssec: boolean): (zone: Readonly<ZoneSummary>) => string {
  // What clients want back is the same for most zones, and read once for all of them.
  let column: string | null = null;
  let kept = keptOf({ keptFields: column });
  return (zone) => {
    if (zone.keptFields !== column) kept = keptOf(zone);
    column = zone.keptFields;
    const { account, kind, masters, serial } = shownOf(zone, kept);
    const name = zone.name.toLowerCase();
    const id = zoneIdOf(name);
    const dnssec = hasDnssec ? `"dnssec":${isSigned(zone)},"edited_serial":${servedSerialOf(zone, serial)},` : '';
    return (
      `{"account":${JSON.stringify(account)},"catalog":"",${dnssec}"id":"${id}","kind":"${kind}",` +
      `"last_check":0,"masters":${masters.length === 0 ? '[]' : JSON.stringify(masters)},"name":${id === name ? `"${name}"` : JSON.stringify(name)},"notified_serial":${serial},` +
      `"serial":${serial},"url":"${urlOfId(id)}"}`
    );
  };
}

/** The fields of a zone alone before and behind its record sets. */
export function zoneAround(zone: Readonly<ZoneEntity>): { readonly before: object; readonly behind: object } {
  const kept = keptOf(zone);
  const { apiRectify, soaEdit, soaEditApi } = kept;
  const { account, kind, masters, serial } = shownOf(zone, kept);
  const name = zone.name.toLowerCase();
  return {
    before: {
      account,
      api_rectify: apiRectify,
      catalog: '',
      dnssec: isSigned(zone),
      edited_serial: servedSerialOf(zone, serial),
      id: zoneIdOf(name),
      kind,
      last_check: 0,
      master_tsig_key_ids: [],
      masters,
      name,
      notified_serial: serial,
      nsec3narrow: false,
      nsec3param: '',
    },
    behind: { serial, slave_tsig_key_ids: [], soa_edit: soaEdit, soa_edit_api: soaEditApi, url: zoneUrlOf(name) },
  };
}

/** Whether name servers are sent it signed. */
function isSigned({ publishedSerial }: Pick<ZoneSummary, 'publishedSerial'>): boolean {
  return publishedSerial !== null;
}

/** That of a signed zone moves with its signatures. */
function servedSerialOf({ publishedSerial }: Readonly<ZoneSummary>, serial: number): number {
  return publishedSerial ?? serial;
}

type ShownFields = Pick<PowerDnsZoneFields, 'account' | 'masters'> & { readonly kind: string; readonly serial: number };

function shownOf(
  { serial, type, masters, transferredAt }: Readonly<ZoneSummary>,
  kept: PowerDnsZoneFields,
): ShownFields {
  const { account } = kept;
  if (type === 'PRIMARY') return { account, kind: kept.kind, masters: kept.masters, serial };
  // A zone that has not come from its masters has no serial yet.
  return { account, kind: 'Slave', masters: mastersOf({ masters }), serial: transferredAt === null ? 0 : serial };
}
