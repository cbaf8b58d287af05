import type { PlanFinding } from '../api/types.js';
import { type Entry, subjectOf } from './pending.js';

/** A correction of pending changes. */
export type Fix =
  /** Undoes the deletion of the address of a target. */
  | { readonly kind: 'keep'; readonly entry: Entry }
  | { readonly kind: 'edit'; readonly entry: Entry }
  /** Adds the address of a target. */
  | { readonly kind: 'add'; readonly name: string };

const isAddress = (type: string): boolean => type === 'A' || type === 'AAAA';

/** The corrections for a finding about a record set. */
export function fixesOf({ kind, name, type, text }: PlanFinding, entries: readonly Entry[]): readonly Fix[] {
  const isAt = (entry: Entry, at: string): boolean => subjectOf(entry).name.toLowerCase() === at.toLowerCase();
  const target = kind === 'no_address' ? text : undefined;
  const kept = entries.filter(
    (entry) =>
      entry.action === 'delete' &&
      (target === undefined
        ? isAt(entry, name) && entry.before.type === type
        : isAt(entry, target) && isAddress(entry.before.type)),
  );
  const edited = entries.filter(
    (entry) => entry.action !== 'delete' && isAt(entry, name) && subjectOf(entry).type === type,
  );
  const [keep] = kept;
  return [
    ...(keep === undefined ? [] : [{ kind: 'keep', entry: keep } as const]),
    ...(keep === undefined && target !== undefined ? [{ kind: 'add', name: target } as const] : []),
    ...edited.slice(0, 1).map((entry) => ({ kind: 'edit', entry }) as const),
  ];
}
