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
  some: (n: number) =>
    `The first ${number.format(n)} of each kind are shown. Search for more of a name to find others.`,
  withoutRecords: 'Records could not be searched:',
};

export const englishRecentChanges = {
  heading: 'Recent changes',
  hint: 'Of all zones. The history of a zone shows each change in full, and takes it back.',
  columns: { at: 'When', zone: 'Zone', by: 'Who', what: 'What', message: 'Message' },
  zoneDeleted: 'Zone deleted',
  none: 'Nothing has happened yet, or it is not kept any more.',
};

export const englishQuotas = {
  heading: 'Quotas',
  hint: (tenant: string) => `What ${tenant} has of what it may have.`,
  columns: { limit: 'Limit', use: 'In use', most: 'At most', share: 'Share' },
  limits: {
    zones: 'Zones',
    zone_records: 'Records of a zone',
    zone_recordsets: 'Record sets of a zone',
    recordset_records: 'Records of a record set',
    api_export_size: 'Records of a zone that is exported',
  },
  unlimited: 'no limit',
  edit: 'Edit quotas',
  editOf: (tenant: string) => `What ${tenant} may have. A limit below the use deletes nothing, it only stops growth.`,
  save: 'Save quotas',
  saved: 'The quotas were saved.',
  badLimit: 'A limit is a whole number.',
  perZone: 'for each zone',
  share: (limit: string, percent: number) => `${limit}: ${number.format(percent)} %`,
};

export const englishAudit = {
  heading: 'Audit',
  off: 'The audit is off here. [service:api] enable_api_admin = True and enabled_extensions_admin = audit turn it on.',
  notPermitted: 'The audit is for admins. The history of a zone shows who has changed it.',
  filters: { tenant_id: 'Tenant', user: 'User', domain: 'Zone', action: 'Action' },
  apply: 'Filter',
  columns: { at: 'When', action: 'Action', actor: 'Who', address: 'From', tenant: 'Whose', subject: 'What' },
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
  start: 'Act for it',
  acting: (tenant: string) => `You act for ${tenant}`,
  stop: 'Stop',
  zones: (n: number) => count(n, 'zone', 'zones'),
  missing: 'Enter the name of a tenant.',
};

export const englishDeleted = {
  heading: 'Deleted zones',
  link: 'Deleted zones',
  hint: 'Their history is kept for a while. Until it ends a zone can be made again.',
  columns: { name: 'Name', at: 'Deleted', by: 'By', serial: 'Serial', actions: 'Actions' },
  restore: (zone: string) => `Restore ${zone}`,
  restoreShort: 'Restore',
  restoreTitle: 'Restore zone',
  restoreQuestion: (zone: string) =>
    `${zone} is made again with the settings and records that it had when it was deleted. Name servers answer for it again, under a later serial.`,
  restoreLost: 'It is a new zone: shares are not made again, nor are records that would have expired by now.',
  restored: (zone: string) => `The zone ${zone} was restored.`,
  none: 'No zone was deleted lately.',
  more: 'Show more',
};

export const englishCommands = {
  title: 'Go to',
  label: 'Zone or screen',
  hint: 'A part of the name. Enter opens the first; the arrow keys lead to the others.',
  search: (q: string) => `Search all zones for “${q}”`,
};
