import { duration, number, records } from './numbers.js';

/** The words of a row of the records table. */
export const englishRow = {
  actions: (name: string, type: string) => `Actions for ${name} ${type}`,
  actionsShort: 'More actions',
  menu: {
    edit: 'Edit',
    duplicate: 'Duplicate',
    copyData: 'Copy data',
    copyLine: 'Copy as zone file line',
    showAll: 'Show all data',
    showLess: 'Show less',
    history: 'Show earlier versions',
    undoChange: 'Undo change',
    undoDelete: 'Undo delete',
    delete: 'Delete',
  },
  showAll: (name: string, type: string) => `Show all data of ${name} ${type}`,
};

export const englishColumns = {
  label: 'Columns',
  shown: { type: 'Type', ttl: 'TTL', comment: 'Comment', changed: 'Changed' },
};

export const englishFilters = {
  placeholder: 'Search, or type:MX ttl<300',
  hint: 'Filters: type:MX, name:www, data:192.0.2.1, ttl<300, ttl>1h, changed:today, changed:7d. Enter makes chips of them.',
  label: 'Filters',
  remove: (filter: string) => `Remove filter ${filter}`,
  chips: {
    type: (type: string) => `Type ${type}`,
    name: (name: string) => `Name ${name}`,
    data: (data: string) => `Data ${data}`,
    ttl: (ttl: number) => `TTL ${duration(ttl)}`,
    ttl_below: (ttl: number) => `TTL below ${duration(ttl)}`,
    ttl_above: (ttl: number) => `TTL above ${duration(ttl)}`,
    changedToday: 'Changed today',
    changed: (seconds: number) => `Changed in the last ${duration(seconds)}`,
  },
};

export const englishCsv = {
  export: 'Export CSV',
  progress: (n: number, total: number | null) =>
    total === null ? `Stop (${number.format(n)})` : `Stop (${number.format(n)} of ${number.format(total)})`,
  saved: (file: string, n: number) => `The file ${file} with ${records(n)} was saved.`,
  limited: (file: string, n: number) =>
    `The file ${file} has the first ${records(n)} only. Filter the records, or export the zone file.`,
  changed: (file: string) =>
    `The file ${file} was saved, but the zone changed during the export. Export it again for one state of the zone.`,
  stopped: 'The export was stopped.',
};
