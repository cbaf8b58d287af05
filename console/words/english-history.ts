import { count, number, records } from './numbers.js';

const signedOf = (created: number, updated: number, deleted: number) =>
  [
    { sign: '+', n: created, verb: 'created', kind: 'create' },
    { sign: '~', n: updated, verb: 'updated', kind: 'update' },
    { sign: '−', n: deleted, verb: 'deleted', kind: 'delete' },
  ].filter(({ n }) => n > 0);

/** The words of the changes of a zone, and of all zones. */
export const englishHistory = {
  heading: 'Changes',
  service: 'the service',
  token: (id: string) => `token ${id}`,
  ofTenant: (who: string, tenant: string) => `${who} (${tenant})`,
  by: (who: string) => `by ${who}`,
  in: 'in',
  /** The title of a change without a message. */
  untitled: (created: number, updated: number, deleted: number) => {
    const [first, ...others] = signedOf(created, updated, deleted);
    if (first === undefined) return 'No records changed';
    const rest = others.map(({ n, verb }) => `, ${number.format(n)} ${verb}`).join('');
    return `${records(first.n)} ${first.verb}${rest}`;
  },
  /** `+2 −1`, each with its meaning for screen readers. */
  delta: (created: number, updated: number, deleted: number) =>
    signedOf(created, updated, deleted).map(({ sign, n, verb, kind }) => ({
      kind,
      shown: `${sign}${number.format(n)}`,
      said: `${number.format(n)} ${verb}`,
    })),
  zoneCreated: 'Zone created',
  zoneChanged: 'Zone settings changed',
  zoneDeleted: 'Zone deleted',
  labels: (of: string, before: string, after: string) =>
    `Labels of ${of}: ${before === '' ? 'none' : before} → ${after === '' ? 'none' : after}`,
  serial: (serial: number) => `Serial ${serial}`,
  show: (serial: number) => `Show serial ${serial}`,
  actions: (serial: number) => `Actions for serial ${serial}`,
  undo: 'Undo this change',
  restore: 'Restore this state',
  export: 'Export zone file',
  open: 'Open in the zone',
  more: 'Show older changes',
  end: 'End of history',
  none: 'No changes yet. Every change of this zone will be listed here, with its author.',
  gone: 'Change not found, or its history has expired.',
  large: 'This change is too large to be shown here.',
  filtered: 'Only changes of matching records are shown:',
  allChanges: 'Show all changes',
  compare: {
    title: 'Compare two states',
    tick: (serial: number) => `Compare serial ${serial}`,
    one: (serial: number) => `Serial ${serial}. Select another change of this zone.`,
    two: (from: number, to: number) => `Serial ${from} and serial ${to}`,
    button: 'Compare',
    clear: 'Clear selection',
    between: (from: string, to: string) => `From serial ${from} to serial ${to}`,
    same: 'The records are the same.',
  },
};

export const englishRecentChanges = {
  heading: 'Changes',
  hint: 'In all zones, the latest first.',
  none: 'No changes yet, or their history has expired.',
};

export const englishZoneHeader = {
  status: 'Status',
  changed: 'changed',
  by: (who: string) => `by ${who}`,
  live: (current: number, all: number) => `Live on ${number.format(current)}/${number.format(all)}`,
  errors: (n: number) => count(n, 'error', 'errors'),
  warnings: (n: number) => count(n, 'warning', 'warnings'),
  dnssec: {
    insecure: 'DNSSEC off',
    signing: 'DNSSEC: signing',
    proving: 'DNSSEC: waiting',
    ready: 'DNSSEC: add DS',
    secure: 'DNSSEC on',
    leaving: 'DNSSEC: leaving',
    halted: 'DNSSEC: halted',
  },
  removeDs: 'DNSSEC: remove DS',
  import: 'Import zone file',
  export: 'Export zone file',
};

export const englishHealth = {
  heading: 'Health',
  again: 'Check again',
};
