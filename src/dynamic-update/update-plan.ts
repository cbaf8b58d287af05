import { ServiceError } from '../common/service-error.js';
import { plainNameOfKey } from '../dns/name-key.js';
import type { DeferredOperations, OperationScope } from '../records/changes/deferred-operations.js';
import type { RecordOperation } from '../records/changes/record-operation.js';
import type { ZoneState } from '../records/changes/state/zone-state.js';
import type { ServedZone } from '../records/served/served-zone.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { assertPrerequisites } from './prerequisites.js';
import { ServedState } from './served-state.js';
import type { SetPrerequisite, SetStep, SetUpdate, Types } from './typed-update.js';
import { ZoneDraft } from './zone-draft.js';

/** One message as one change: its prerequisites are judged where its steps are carried out (behaviour 20.2). */
export class UpdatePlan implements DeferredOperations {
  readonly scope: OperationScope;
  readonly size: number;

  constructor(
    private readonly update: SetUpdate,
    private readonly types: Types,
    private readonly served: ServedZone,
  ) {
    this.scope = touchOf(update);
    this.size = update.prerequisites.length + update.steps.length;
  }

  operations(state: ZoneState, zone: Readonly<ZoneEntity>): readonly RecordOperation[] {
    const { prerequisites, steps } = this.update;
    for (const one of [...prerequisites, ...steps]) this.assertInZone(state, one);
    const served = new ServedState(state, zone, this.served);
    assertPrerequisites(served, prerequisites);
    const draft = new ZoneDraft(served, this.types.knownTypes);
    for (const step of steps) draft.take(step);
    return draft.replacements();
  }

  /** Behaviour 5.7: names of a zone below are not in this one, but for what stands on this side of the cut. */
  private assertInZone(state: ZoneState, one: SetPrerequisite | SetStep): void {
    const { ownerKey } = one;
    const child = state.zoneBelow(ownerKey);
    if (child === null) return;
    const type = typeOf(one);
    const isAtCut = type === null || this.types.knownTypes.byName(type)?.placement.isAtZoneCut === true;
    if (child === ownerKey && isAtCut) return;
    const message = `${plainNameOfKey(ownerKey)} belongs to a child zone of ${state.zone.name}.`;
    throw ServiceError.ofField('invalid_location', 'name', 'format', message);
  }
}

/** `null`: of all. */
function typeOf(one: SetPrerequisite | SetStep): string | null {
  if ('content' in one) return one.content.type;
  return 'type' in one ? one.type : null;
}

function touchOf({ prerequisites, steps }: SetUpdate): OperationScope {
  const values = prerequisites.filter((one) => one.asks === 'set has');
  const adds = steps.filter((step) => step.does === 'add');
  const ofSets = steps.filter((step) => step.does === 'delete record' || step.does === 'delete set');
  const ofNames = steps.filter((step) => step.does === 'delete name');
  return {
    contents: adds.map(({ content }) => content),
    wholeSets: unique(
      [...values, ...ofSets, ...adds.map(({ content }) => content)].map(({ ownerKey, type }) => ({ ownerKey, type })),
    ),
    owners: [...new Set(prerequisites.map(({ ownerKey }) => ownerKey))],
    wholeOwners: [...new Set(ofNames.map(({ ownerKey }) => ownerKey))],
  };
}

function unique<Set extends { readonly ownerKey: string; readonly type: string }>(sets: readonly Set[]): Set[] {
  return [...new Map(sets.map((set) => [`${set.ownerKey}\n${set.type}`, set])).values()];
}
