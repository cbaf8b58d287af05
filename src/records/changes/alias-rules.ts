import { because } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import { wireOfKey } from '../../dns/name-key.js';
import { ALIAS, ALIAS_ADDRESSES } from '../../dns/rdata/index.js';
import { fingerprintOf } from '../record-content.js';
import type { SetKey } from '../record-set.entity.js';
import type { RecordEntity } from '../record.entity.js';
import type { RecordOperation } from './record-operation.js';
import type { ZoneState } from './state/zone-state.js';

/** Step of a change, as far as these rules need it. */
export interface AliasStep {
  readonly index: number;
  readonly before: RecordEntity | null;
  readonly after: RecordEntity | null;
}

/** Whether the service sets the records of the set: addresses at the name of an ALIAS (behaviour 24.2). */
export function isFollowed(state: ZoneState, { ownerKey, type }: SetKey): boolean {
  return ALIAS_ADDRESSES.includes(type) && state.set(ownerKey, ALIAS.name)?.exists === true;
}

/** Owner names where steps removed an ALIAS, with the index of the operation. */
function formerAliases(steps: readonly AliasStep[]): Map<string, number> {
  const former = new Map<string, number>();
  for (const { index, before, after } of steps)
    if (before?.type === ALIAS.name && before.ownerKey !== after?.ownerKey) former.set(before.ownerKey, index);
  return former;
}

/**
 * The addresses that go with their ALIAS: not those that the change itself creates, nor a set that it writes whole.
 * @param operations of the change
 */
export function addressesOfRemoved(
  state: ZoneState,
  steps: readonly AliasStep[],
  operations: readonly RecordOperation[],
): { readonly index: number; readonly record: RecordEntity }[] {
  const former = formerAliases(steps);
  if (former.size === 0) return [];
  const written = new Set(steps.flatMap(({ after }) => (after === null ? [] : [after.id])));
  const whole = new Set(operations.flatMap((one) => ('ownerKey' in one ? [`${one.ownerKey} ${one.type}`] : [])));
  return [...former].flatMap(([ownerKey, index]) => {
    if (state.set(ownerKey, ALIAS.name)?.exists === true) return [];
    const types = ALIAS_ADDRESSES.filter((type) => !whole.has(`${ownerKey} ${type}`));
    const records = types.flatMap((type) => [...(state.set(ownerKey, type)?.members.values() ?? [])]);
    return records.filter(({ id }) => !written.has(id)).map((record) => ({ index, record }));
  });
}

/** An ALIAS and addresses of the user at one name, or an ALIAS that follows itself. */
export function aliasFault(state: ZoneState, steps: readonly AliasStep[], step: AliasStep): ServiceError | null {
  const { before, after } = step;
  if (after === null) return null;
  if (isFollowed(state, after)) return followedFault(after);
  if (after.type !== ALIAS.name) return null;
  if (after.fingerprint === fingerprintOf(wireOfKey(after.ownerKey))) return loopFault(after);
  // The addresses belong to the ALIAS that was there before.
  if (before?.ownerKey === after.ownerKey || formerAliases(steps).has(after.ownerKey)) return null;
  const beside = ALIAS_ADDRESSES.find((type) => state.set(after.ownerKey, type)?.exists === true);
  if (beside === undefined) return null;
  const message = `ALIAS cannot stand beside ${beside}, which ${after.name} has. Delete that first.`;
  return misplaced(message, because('not_beside', { type: ALIAS.name, other: beside, name: after.name }));
}

/** A user changes or deletes an address that the service sets. */
export function followedFaultOf(state: ZoneState, { before }: AliasStep): ServiceError | null {
  return before !== null && isFollowed(state, before) ? followedFault(before) : null;
}

function followedFault({ name, type }: Pick<RecordEntity, 'name' | 'type'>): ServiceError {
  const message = `${name} has an ALIAS, which sets its ${type} records; change or delete the ALIAS instead.`;
  return misplaced(message, because('not_beside', { type, other: ALIAS.name, name }));
}

function loopFault({ name }: RecordEntity): ServiceError {
  return ServiceError.ofField('invalid_object', 'data', 'format', `${name} cannot follow itself; name another target.`);
}

function misplaced(message: string, facts: ReturnType<typeof because>): ServiceError {
  return ServiceError.ofField('invalid_location', 'name', 'format', message, facts);
}
