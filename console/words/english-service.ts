import { count, number, records } from './numbers.js';

/** The words of the screens about the service as a whole. */
export const englishSearch = {
  heading: 'Search',
  search: 'Search all zones',
  hint: 'Finds zones by name, email and comment, and records by name, data and comment.',
  results: 'Results',
  columns: { kind: 'Kind', name: 'Name', type: 'Type', data: 'Data', comment: 'Comment', zone: 'Zone' },
  kinds: { zone: 'Zone', records: 'Record' },
  none: (q: string) => `No results for “${q}”`,
  some: (n: number) => `The first ${number.format(n)} zones are shown. Type more of the name to find others.`,
  searching: (searched: number) => `Searching… ${number.format(searched)} records so far`,
  complete: (found: number) => `${records(found)} found. All zones were searched.`,
  partial: (found: number, searched: number) =>
    `${records(found)} found. The search is not complete: it read ${number.format(searched)} records.`,
  searchOn: 'Search further',
};

export const englishQuotas = {
  heading: 'Usage',
  hint: (tenant: string) => `Usage and limits for ${tenant}`,
  columns: { limit: 'Quota', use: 'In use', most: 'Limit', share: 'Share' },
  limits: {
    zones: 'Zones',
    zone_records: 'Records in a zone',
    zone_recordsets: 'Record sets in a zone',
    recordset_records: 'Records in a record set',
    api_export_size: 'Records in an exported zone',
  },
  unlimited: 'no limit',
  edit: 'Edit quotas',
  editOf: (tenant: string) =>
    `The limits of ${tenant}. A limit lower than what is in use deletes nothing; it only stops growth.`,
  save: 'Save quotas',
  saved: 'The quotas were saved.',
  badLimit: 'A limit is a whole number.',
  perZone: 'per zone',
  share: (limit: string, percent: number) => `${limit}: ${number.format(percent)} %`,
};

export const englishAudit = {
  heading: 'Audit log',
  off: 'The audit log is disabled. Set [service:api] enable_api_admin = True and enabled_extensions_admin = audit to enable it.',
  notPermitted: 'Only admins can view the audit log. The history of a zone shows its changes and their authors.',
  filters: { tenant_id: 'Tenant', user: 'User', domain: 'Zone', action: 'Action' },
  apply: 'Filter',
  columns: { at: 'Time', action: 'Action', actor: 'Actor', address: 'Address', tenant: 'Tenant', subject: 'Target' },
  none: 'No matching entries',
  more: 'Show older entries',
  export: 'Export JSON lines',
  exported: (file: string) => `${file} was saved.`,
};

export const englishTenants = {
  choose: 'Switch tenant',
  chosen: (tenant: string) => `Switch tenant: ${tenant}`,
  own: 'Tenant',
  noTenant: 'No tenant',
  title: 'Switch tenant',
  tenant: 'Tenant',
  hint: 'You see and change the data of this tenant until you exit.',
  start: 'Switch',
  acting: (tenant: string) => `Acting as ${tenant}`,
  stop: 'Exit',
  zones: (n: number) => count(n, 'zone', 'zones'),
  missing: 'Enter the name of a tenant.',
  unknown: (tenant: string) =>
    `No tenant is named “${tenant}”. Tenants have zones or tokens. Check the spelling and the letter case, or choose one from the list.`,
  list: 'Tenants',
  none: 'No matching tenants',
  seeAll: 'All tenants',
  seeingAll: 'You see the zones of all tenants',
  actAs: (tenant: string) => `Switch to ${tenant}`,
};

export const englishDeleted = {
  heading: 'Deleted zones',
  link: 'Deleted zones',
  hint: 'A deleted zone can be restored as long as its history is kept.',
  columns: { name: 'Name', at: 'Deleted', by: 'By', serial: 'Serial', actions: 'Actions' },
  restore: (zone: string) => `Restore ${zone}`,
  restoreShort: 'Restore',
  restoreTitle: 'Restore zone',
  restoreQuestion: (zone: string) =>
    `This restores ${zone} with its settings and records. Name servers will answer for it again, with a higher serial.`,
  restoreLost: 'This does not restore its shares, nor records that would have expired by now.',
  restored: (zone: string) => `The zone ${zone} was restored.`,
  none: 'No zone has been deleted recently.',
  more: 'Show more',
};

export const englishCommands = {
  title: 'Go to',
  label: 'Zone, page or action',
  hint: 'Type part of a name. Enter opens the first match; the arrow keys move to the others.',
  actions: {
    inZone: (page: string, zone: string) => `${page} of ${zone}`,
    addRecord: (zone: string) => `Add record in ${zone}`,
    theme: (theme: string) => `Theme: ${theme}`,
  },
  recent: 'Recent zone',
  zone: 'Zone',
  search: (q: string) => `Search all zones for “${q}”`,
};
