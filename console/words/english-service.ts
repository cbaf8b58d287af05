import { count, number } from './numbers.js';

/** The words of the screens about the service as a whole. */
export const englishSearch = {
  heading: 'Search',
  search: 'Search all zones',
  hint: 'Zones are found by name, email and comment, records by their names.',
  results: 'Results',
  columns: { kind: 'Kind', name: 'Name', type: 'Type', data: 'Data', zone: 'Zone' },
  kinds: { zone: 'Zone', records: 'Records' },
  none: (q: string) => `Nothing has “${q}” in its name.`,
  some: (n: number) => `The first ${number.format(n)} of each kind are shown. Type more of the name to find others.`,
  withoutRecords: 'Records could not be searched:',
};

export const englishRecentChanges = {
  heading: 'Recent changes',
  hint: 'In all zones. The history of a zone shows each change in full, and can undo it.',
  columns: { at: 'When', zone: 'Zone', by: 'Who', what: 'What', message: 'Message' },
  zoneDeleted: 'Zone deleted',
  none: 'Nothing has happened yet, or it is no longer kept.',
};

export const englishQuotas = {
  heading: 'Quotas',
  hint: (tenant: string) => `The limits of ${tenant}, and how much of each is used.`,
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
  perZone: 'counted per zone',
  share: (limit: string, percent: number) => `${limit}: ${number.format(percent)} %`,
};

export const englishAudit = {
  heading: 'Audit',
  off: 'The audit is off here. [service:api] enable_api_admin = True and enabled_extensions_admin = audit turn it on.',
  notPermitted: 'The audit is for admins. The history of a zone shows who has changed it.',
  filters: { tenant_id: 'Tenant', user: 'User', domain: 'Zone', action: 'Action' },
  apply: 'Filter',
  columns: { at: 'When', action: 'Action', actor: 'Who', address: 'From', tenant: 'Tenant', subject: 'What' },
  none: 'No entry matches.',
  more: 'Show older entries',
  export: 'Export JSON lines',
  exported: (file: string) => `${file} was saved.`,
};

export const englishTenants = {
  choose: 'Act for a tenant',
  title: 'Act for a tenant',
  tenant: 'Tenant',
  hint: 'What you see and do is this tenant’s, until you stop.',
  start: 'Act for this tenant',
  acting: (tenant: string) => `You are acting for ${tenant}`,
  stop: 'Stop',
  zones: (n: number) => count(n, 'zone', 'zones'),
  missing: 'Enter the name of a tenant.',
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
    `${zone} comes back with the settings and records that it had when it was deleted. Name servers will answer for it again, with a higher serial.`,
  restoreLost: 'Its shares do not come back, and neither do records that would have expired by now.',
  restored: (zone: string) => `The zone ${zone} was restored.`,
  none: 'No zone has been deleted recently.',
  more: 'Show more',
};

export const englishCommands = {
  title: 'Go to',
  label: 'Zone or screen',
  hint: 'Type part of a name. Enter opens the first match; the arrow keys move to the others.',
  search: (q: string) => `Search all zones for “${q}”`,
};
