import { count, duration, number } from './numbers.js';

export const englishSettings = {
  heading: 'Settings',
  ttlHint: (ttl: number | null) =>
    `${ttl === null ? '' : `= ${duration(ttl)}. `}Default TTL for records that do not set one. Seconds, or a value like 5m or 1h.`,
  nameServers: 'Name servers',
  nameServersHint: (usual: readonly string[]) =>
    usual.length === 0
      ? 'The NS records of the zone, one per line.'
      : `The NS records of the zone, one per line. Leave it empty for those of the service: ${usual.join(', ')}`,
  save: 'Save settings',
  saved: 'The settings were saved.',
  notPermitted: 'You do not have permission to change these settings.',
  conflict:
    'Someone else changed these settings while you were editing. Your input is still here: check it and save again.',
  delete: 'Delete zone',
  deleteHint:
    'Removes the zone and all of its records from the name servers. You can restore it from the deleted zones as long as its history is kept.',
  deleteQuestion: (zone: string) =>
    `${zone} and all of its records will be deleted, and name servers will stop answering for it.`,
  deleteSigned: (zone: string) =>
    `${zone} is signed, and its parent zone may still have a DS record. While it does, or caches remember it, resolvers refuse any other answer for this name. Stop signing first, or delete the zone anyway.`,
  deleteAnyway: 'Delete it even though the parent zone may have a DS',
  deleteButton: 'Delete',
  deleted: (zone: string) => `The zone ${zone} was deleted.`,
};

export const englishImport = {
  heading: 'Import',
  file: 'Zone file',
  fileHint: 'Choose a file, or drop one here.',
  text: 'Or paste zone file text',
  textHint: 'In the format of RFC 1035, one record per line, such as “www 300 IN A 192.0.2.1”.',
  mode: 'Existing records',
  merge: 'Merge: keep existing records and add new ones',
  replace: 'Replace: delete records that are not in the file',
  plan: 'Review import',
  empty: 'Choose a file or paste zone file text.',
  tooLarge: (most: number) => `The file is too large: the service accepts up to ${number.format(most)} octets.`,
  unreadable: 'The file could not be read.',
  notPermitted: 'You do not have permission to add records, so you cannot import a file.',
  faults: 'Errors in the file',
  faulty: (n: number) => `${count(n, 'error', 'errors')} in the file. Correct it and review again.`,
  columns: { line: 'Line', text: 'Text', fault: 'Error' },
};

export const englishRecord = {
  heading: 'Record',
  gone: 'This record no longer exists. The zone history shows when it was deleted:',
  facts: {
    name: 'Name',
    type: 'Type',
    ttl: 'TTL',
    priority: 'Priority',
    data: 'Data',
    comment: 'Comment',
    expires: 'Expires',
    created: 'Created',
    updated: 'Changed',
  },
  ttlOfZone: (ttl: number) => `${duration(ttl)} (from the zone)`,
  versions: 'Versions',
  restore: 'Restore this version',
};
