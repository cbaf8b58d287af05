import { AUDITED_ACTIONS } from '../../database/audit/audit-trail.js';
import type { JournalAction } from '../../zones/journal/journal-format.js';
import type { TimeCursor } from '../../zones/journal/time-cursor.js';

/** Who did what, to what, and when. */
export interface AuditEntry extends TimeCursor {
  readonly action: string;
  /** Whose it is; `null` for what is nobody's. */
  readonly ownerId: string | null;
  /** The tenant that asked. */
  readonly tenantId: string;
  readonly tokenId: string | null;
  readonly userName: string | null;
  /** Of the client. */
  readonly address: string | null;
  readonly requestId: string;
  readonly zoneId: string | null;
  readonly zoneName: string | null;
  /** Of a step that the journal has told; the serial is the zone's after it. */
  readonly changeId: string | null;
  readonly serial: number | null;
  readonly recordId: string | null;
  readonly recordName: string | null;
  readonly recordType: string | null;
  /** The token, share, pool and so on. */
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  /** JSON, an object. */
  readonly details: string | null;
}

const JOURNAL_ACTIONS = [
  'zone.create',
  'zone.update',
  'zone.delete',
  'zone.serial',
  'zone.transfer',
  'zone.regenerate',
  'record.create',
  'record.update',
  'record.delete',
] as const satisfies readonly JournalAction[];

const ACTIONS: readonly string[] = [...JOURNAL_ACTIONS, ...AUDITED_ACTIONS];

/** Everything that the audit tells of, as it is shown. */
export const SHOWN_ACTIONS: readonly string[] = ACTIONS.map(shownAction);

/** What it is done to: `domain`, `record`, `token` and so on. */
export const SHOWN_KINDS: readonly string[] = [...new Set(SHOWN_ACTIONS.map(kindOf))];

/** As the history of version 1 calls it. */
export function shownAction(action: string): string {
  return action.replace(/^zone\./, 'domain.');
}

/** One action, or all of a kind, by the name that is shown; none for a name that there is not. */
export function actionsNamed(shown: string): string[] {
  return ACTIONS.filter((action) => [shownAction(action), kindOf(shownAction(action))].includes(shown));
}

function kindOf(action: string): string {
  return action.slice(0, action.indexOf('.'));
}
