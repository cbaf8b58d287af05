import { AUDITED_ACTIONS } from '../../database/audit/audit-trail.js';
import type { JournalAction } from '../../zones/journal/journal-format.js';
import type { TimeCursor } from '../../zones/journal/time-cursor.js';

export interface AuditEntry extends TimeCursor {
  readonly action: string;
  readonly ownerId: string | null;
  readonly tenantId: string;
  readonly tokenId: string | null;
  /** `null` also if the token is forgotten. */
  readonly tokenDescription: string | null;
  readonly userName: string | null;
  /** Address of the client. */
  readonly address: string | null;
  readonly requestId: string;
  readonly zoneId: string | null;
  readonly zoneName: string | null;
  /** For journal steps. The serial is that of the zone after the step. */
  readonly changeId: string | null;
  readonly serial: number | null;
  readonly recordId: string | null;
  readonly recordName: string | null;
  readonly recordType: string | null;
  /** Id of the token, share, pool and so on. */
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  /** A JSON object. */
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

export const SHOWN_ACTIONS: readonly string[] = ACTIONS.map(shownAction);

/** Kinds of audited objects: `domain`, `record`, `token` and so on. */
export const SHOWN_KINDS: readonly string[] = [...new Set(SHOWN_ACTIONS.map(kindOf))];

/** Action name in the history of version 1. */
export function shownAction(action: string): string {
  return action.replace(/^zone\./, 'domain.');
}

/** The action, or all actions of a kind, by shown name; empty for an unknown name. */
export function actionsNamed(shown: string): string[] {
  return ACTIONS.filter((action) => [shownAction(action), kindOf(shownAction(action))].includes(shown));
}

function kindOf(action: string): string {
  return action.slice(0, action.indexOf('.'));
}
