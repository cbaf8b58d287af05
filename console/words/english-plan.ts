import { changes, count, duration, number, records } from './numbers.js';

const list = new Intl.ListFormat('en');

export const englishPlan = {
  title: 'Plan',
  table: 'Changes',
  planning: 'Checking changes…',
  undoOf: (what: string) => `Undoes ${what}.`,
  revertTo: (serial: number) => `Restores the records as of serial ${serial}.`,
  importOf: (mode: 'merge' | 'replace') =>
    mode === 'merge'
      ? 'Adds new records from the file; existing records stay.'
      : 'Replaces the records of the zone with the records in the file.',
  asFile: (most: number) =>
    `A change set holds up to ${changes(most)}. These are more, so they are applied as an import, which is one change too.`,
  beyondFile: (n: number, most: number) =>
    `More than ${changes(most)} are applied as the import of a zone file, which has neither comments nor expiry, and ${changes(n)} of these need them. Apply those in smaller numbers.`,
  fileTooLong: (most: number) =>
    `More than ${changes(most)} are applied as the import of a zone file, and this one would be longer than the service accepts. Apply them in smaller numbers.`,
  actions: { create: 'Create', update: 'Update', delete: 'Delete' },
  counts: {
    create: (n: number) => `${number.format(n)} to create`,
    update: (n: number) => `${number.format(n)} to update`,
    delete: (n: number) => `${number.format(n)} to delete`,
  },
  after: (n: number) => `${records(n)} after`,
  quota: (after: number, limit: number) => `${number.format(after)} of ${number.format(limit)} records after`,
  message: 'Message',
  messageHint: 'The purpose of the change. It is shown in the history.',
  nothing: 'Nothing would change.',
  faulty: (n: number) => `${changes(n)} cannot be applied.`,
  showFaulty: 'Go to first error',
  findings: 'New check findings',
  found: (errors: number, warnings: number) => {
    const parts = [
      ...(errors > 0 ? [count(errors, 'error', 'errors')] : []),
      ...(warnings > 0 ? [count(warnings, 'warning', 'warnings')] : []),
    ];
    return `You can apply this, but it adds ${list.format(parts)}:`;
  },
  severities: { error: 'Error', warning: 'Warning' },
  fixes: {
    addAddress: (name: string) => `Add an address for ${name}`,
    addAddressShort: 'Add an address',
  },
  moreFindings: (n: number) => `${number.format(n)} more. Once the plan is applied, Health lists all of them.`,
  reverse: 'PTR records that follow',
  reverseStep: ({ name, before, after }: { name: string; before: string | null; after: string | null }) =>
    after === null
      ? `${name}: no longer ${before ?? ''}`
      : before === null
        ? `${name}: ${after}`
        : `${name}: ${after} instead of ${before}`,
  moreReverse: (n: number) => `${number.format(n)} more PTR records follow.`,
  remove: (name: string, type: string) => `Remove ${name} ${type} from the changes`,
  removeShort: 'Remove',
  ttl: (ttl: number | null) => (ttl === null ? 'TTL from the zone' : `TTL ${duration(ttl)}`),
  expires: (at: string) => `expires ${at}`,
  comment: 'comment',
  removed: 'removed:',
  added: 'added:',
  moreRows: (n: number) => `${number.format(n)} more changes are not shown here, but are part of the plan.`,
  apply: 'Apply',
  applying: 'Applying…',
  back: 'Back',
  tryAgain: 'Retry',
  tryingAgain: 'Retrying…',
  tryingText: 'No response yet. Retrying; your change will not be applied twice.',
  planAgain: 'Refresh plan',
  sessionOver: 'Your session expired. Your changes are still here. The plan continues after you sign in.',
  resumes: 'Your changes are still here. The plan continues when the service answers.',
  confirm: (zone: string) => `Type ${zone} to confirm`,
  confirmShare: (percent: number) => `This changes ${number.format(percent)} % of the zone.`,
  confirmLast: (type: string) => `This deletes the last ${type} record of the zone.`,
  conflict: (zone: string) => `${zone} changed while you were editing. Nothing was applied; your changes are safe.`,
  conflictBy: (who: string) => `Changed by ${who}:`,
  conflictUnknown: 'The history does not go back far enough to show the changes.',
  theirs: 'Changes by others',
  alsoTheirs: 'Someone else also edited this.',
  gone: 'Someone else deleted this record.',
  createAnew: 'Recreate',
};
