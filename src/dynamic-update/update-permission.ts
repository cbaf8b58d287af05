import { assertMayChangeRecords } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Update } from '../dns/message/update.js';
import { nameOfType, type Types } from './typed-update.js';

/**
 * Holds every step and every prerequisite against what the key is for, before any of them is looked at: prerequisites answer
 * questions about the zone (behaviour 20.2). Which types a name has that is deleted as a whole is judged when they are known.
 * @throws ServiceError `forbidden`
 */
export function assertMayUpdate(caller: Caller, { prerequisites, steps }: Update, types: Types): void {
  if (caller.restrictions === undefined) return;
  for (const one of steps) assertMayChangeRecords(caller, ACTIONS[one.does], setOf(one, types));
  for (const one of prerequisites) assertMayChangeRecords(caller, null, setOf(one, types));
}

const ACTIONS = {
  add: 'create',
  'delete record': 'delete',
  'delete set': 'delete',
  'delete name': 'delete',
} as const;

function setOf(one: Update['steps'][number] | Update['prerequisites'][number], types: Types) {
  return { ownerKey: one.owner.key, type: 'type' in one ? nameOfType(one.type, types) : null };
}
