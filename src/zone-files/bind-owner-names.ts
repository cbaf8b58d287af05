import type { RecordSet } from '../dns/master-file/record-set.js';

/** What has to stand at a host name (RFC 952, RFC 1123 §2.1) for BIND to load it as a primary (`check-names`). */
const TYPES_OF_HOSTS = new Set(['A', 'AAAA', 'MX']);
const HOST_LABEL = /^[0-9A-Za-z-]+$/;

/** Active Directory's name for its global catalogs, where BIND takes addresses. */
const GLOBAL_CATALOG = /^gc\._msdcs\./i;

/** Whether BIND refuses a zone file for the owner name of that set. */
export function isOwnerRefusedByBind({ owner, type }: RecordSet): boolean {
  if (!TYPES_OF_HOSTS.has(type.name)) return false;
  const name = owner.toString().replace(/^\*\./, '');
  const host = type.role === 'address' ? name.replace(GLOBAL_CATALOG, '') : name;
  return !host
    .slice(0, -1)
    .split('.')
    .every((label) => HOST_LABEL.test(label));
}
