import { listIn, objectIn, type InputObject } from '../input.js';

/** Types that signing makes; the next signer makes them anew. */
const SIGNING = new Set(['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY']);
/** The same at the apex of a signed zone (RFC 7344 §4, RFC 8976 §2). */
const SIGNING_APEX = new Set(['CDS', 'CDNSKEY', 'ZONEMD']);
const KEPT = ['name', 'kind', 'account', 'masters', 'soa_edit_api', 'soa_edit', 'api_rectify'];
const WORDS = {
  soa_edit_api: ['DEFAULT', 'INCREASE', 'EPOCH', 'SOA-EDIT', 'SOA-EDIT-INCREASE', 'NONE', ''],
  soa_edit: ['INCREMENT-WEEKS', 'INCEPTION-EPOCH', 'INCEPTION-INCREMENT', 'EPOCH', 'NONE', ''],
};

/**
 * A zone of PowerDNS as one would ask for it here, without what is not kept.
 * @param note is told of each difference, and how many records it is about
 */
export function transcribed(zone: InputObject, note: (difference: string, amount?: number) => void): InputObject {
  const body: Record<string, unknown> = Object.fromEntries(KEPT.map((field) => [field, zone[field]]));
  if (zone.dnssec === true) note('DNSSEC keys are not taken over');
  if ((zone.catalog ?? '') !== '') note('catalogs are not taken over');
  for (const [field, words] of Object.entries(WORDS))
    if (typeof body[field] === 'string' && !words.includes(body[field].toUpperCase())) {
      note(`${field} ${body[field]} is not known`);
      body[field] = undefined;
    }
  const rrsets = (listIn(zone, 'rrsets') ?? []).map((rrset) => objectIn(rrset, 'An rrset'));
  const isSigned = zone.dnssec === true || rrsets.some(({ type }) => SIGNING.has(String(type)));
  const isApex = ({ name }: InputObject): boolean => String(name).toLowerCase() === String(zone.name).toLowerCase();
  const signing = rrsets.filter(
    (rrset) => SIGNING.has(String(rrset.type)) || (isSigned && SIGNING_APEX.has(String(rrset.type)) && isApex(rrset)),
  );
  for (const rrset of signing)
    note(`${String(rrset.type)} records are left out: the service makes them`, (listIn(rrset, 'records') ?? []).length);
  // Of a secondary zone they come from its masters.
  const isSecondary = /^(slave|secondary)$/i.test(String(zone.kind));
  return { ...body, rrsets: isSecondary ? [] : rrsets.filter((rrset) => !signing.includes(rrset)) };
}
