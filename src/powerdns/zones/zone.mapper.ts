import { mastersOf } from '../../zones/zone-fields.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ZoneSummary } from '../../zones/lists/zone-summaries.js';
import { urlOfId, zoneIdOf, zoneUrlOf } from './zone-lookup.js';
import { keptOf, type PowerDnsZoneFields } from './powerdns-zone-fields.js';

/** Renders the entries of long lists one by one. Simple clients expect keys in alphabetical order. */
export function listedZones(hasDnssec: boolean): (zone: Readonly<ZoneSummary>) => string {
  // Most zones have the same stored fields: parse them once.
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

/** The zone fields before and after the record sets. */
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

function isSigned({ publishedSerial }: Pick<ZoneSummary, 'publishedSerial'>): boolean {
  return publishedSerial !== null;
}

/** Signatures raise the serial of a signed zone. */
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
  // No serial before the first transfer.
  return { account, kind: 'Slave', masters: mastersOf({ masters }), serial: transferredAt === null ? 0 : serial };
}
