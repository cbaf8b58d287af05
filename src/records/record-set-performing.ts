import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { NS } from '../dns/rdata/ns.js';
import { assertTtlAllowed } from '../zones/minimum-ttl.js';
import type { ZoneChange } from '../zones/zone-change.js';
import { mergedContent } from './merged-content.js';
import type { OperationRules } from './operation-rules.js';
import type { RecordContent } from './record-content.js';
import type {
  CreateSetOperation,
  DeleteSetOperation,
  DoneSetOperation,
  RecordSetOperation,
  UpdateSetOperation,
} from './record-set-operation.js';
import { descriptionOf, type RecordSetEntity, type SetKey } from './record-set.entity.js';
import type { RecordEntity } from './record.entity.js';
import type { SetState } from './set-state.js';
import { inOneGo, type StateChange } from './state-change.js';
import type { ZoneState } from './zone-state.js';

/**
 * Carries out an operation on a whole record set in a state (behaviour 13.2).
 * @throws ServiceError; nothing of it is left then
 */
export function carryOutOnSet(
  state: ZoneState,
  change: ZoneChange,
  operation: RecordSetOperation,
  rules: OperationRules,
): DoneSetOperation {
  const done = inOneGo(state, change, rules, (steps) =>
    new RecordSetPerforming(state, steps, rules, change.caller).perform(operation),
  );
  return { zone: state.zone, ...done };
}

class RecordSetPerforming {
  constructor(
    private readonly state: ZoneState,
    private readonly steps: StateChange,
    private readonly rules: OperationRules,
    private readonly caller: Caller,
  ) {}

  /** @throws ServiceError for what the operation is refused for, as far as it shows before all of it is done */
  perform(operation: RecordSetOperation): DoneSet {
    this.steps.assertMay(operation.action === 'create set' ? 'create' : null, operation);
    switch (operation.action) {
      case 'create set':
        return this.create(operation);
      case 'update set':
        return this.update(operation);
      case 'delete set':
        return this.delete(operation);
    }
  }

  private create(operation: CreateSetOperation): DoneSet {
    const { contents, ttl } = operation;
    this.assertNew(operation);
    assertTtlAllowed(ttl, this.rules.minTtl, this.caller);
    if (contents.length === 0) return { set: this.steps.createEmptySet(operation), records: [] };
    const records = contents.map((content) => this.steps.create(ONLY, content));
    // Its records came one after the other, and are its first version all the same.
    const set = { ...this.rowOf(operation), version: 1, updatedAt: null };
    return { set: this.steps.putSet(set), records };
  }

  private update(operation: UpdateSetOperation): DoneSet {
    const set = this.existing(operation);
    const former = membersOf(set);
    const { ttl = set.row.ttl, description = descriptionOf(set.row, former) } = operation;
    if (ttl !== set.row.ttl) assertTtlAllowed(ttl, this.rules.minTtl, this.caller);
    this.become(former, operation.contents, { ttl, description });
    const records = membersOf(this.state.set(operation.ownerKey, operation.type));
    const row = this.rowOf(operation);
    return { set: records.length > 0 ? row : this.steps.keepEmptySet(row, { ttl, description }), records };
  }

  private delete(operation: DeleteSetOperation): DoneSet {
    const set = this.existing(operation);
    const records = membersOf(set);
    for (const record of records) this.steps.remove(ONLY, record);
    if (records.length === 0) this.steps.removeEmptySet(operation);
    return { set: set.row, records };
  }

  /**
   * Records of the same content stay, with their names. All get the ttl where the set would show another one, and all get the
   * description: what is shown already is no reason to change a record.
   */
  private become(
    former: readonly RecordEntity[],
    contents: readonly RecordContent[] | undefined,
    shown: { readonly ttl: number | null; readonly description: string | null },
  ): void {
    const said = contents && new Map(contents.map((content) => [content.fingerprint, content]));
    const staying = said === undefined ? former : former.filter(({ fingerprint }) => said.has(fingerprint));
    const known = new Set(staying.map(({ fingerprint }) => fingerprint));
    const coming = (contents ?? []).filter(({ fingerprint }) => !known.has(fingerprint));
    const ttls = [...staying.map(({ ttl }) => ttl), ...coming.map(() => shown.ttl)];
    const fields = {
      ...(smallestOf(ttls) === shown.ttl ? {} : { ttl: shown.ttl }),
      ...(staying[0]?.description === shown.description ? {} : { description: shown.description }),
    };
    for (const record of staying) this.amend(record, { data: said?.get(record.fingerprint)?.data, ...fields });
    for (const content of coming) this.steps.create(ONLY, { ...content, ...shown });
    for (const record of former) if (!known.has(record.fingerprint)) this.steps.remove(ONLY, record);
  }

  /** A record that says all of it already stays as it is, in the version that it has. */
  private amend(record: RecordEntity, said: AmendedFields): void {
    const { data = record.data, ttl = record.ttl, description = record.description } = said;
    if (data === record.data && ttl === record.ttl && description === record.description) return;
    this.steps.update(ONLY, record, mergedContent(this.rules.types, record, { data, ttl, description }));
  }

  /** Of a type that a name has once, a second one is misplaced; a full quota comes before a duplicate (behaviour 3.4, 5.6). */
  private assertNew({ ownerKey, type, name, contents }: CreateSetOperation): void {
    const isManaged = type === NS.name && ownerKey === this.state.zone.nameKey;
    if (!isManaged && (this.state.set(ownerKey, type)?.row ?? null) === null) return;
    const message = `${name} has a record set of type ${type} already; update that one instead.`;
    if (this.rules.types.byName(type)?.placement.isSingle === true)
      throw ServiceError.ofField('invalid_location', 'name', 'format', message);
    this.steps.assertRoomFor(contents.length);
    throw ServiceError.ofField('duplicate_record_set', 'name', 'enum', message);
  }

  private existing({ ownerKey, type, setId }: SetKey & { readonly setId: string }): StoredSet {
    const set = this.state.set(ownerKey, type);
    if (set?.row?.id !== setId) throw noSuchRecordSet();
    return { row: set.row, members: set.members };
  }

  private rowOf({ ownerKey, type }: SetKey): RecordSetEntity {
    const row = this.state.set(ownerKey, type)?.row ?? null;
    if (row === null) throw new Error('a record set was lost while it was changed');
    return row;
  }
}

type DoneSet = Omit<DoneSetOperation, 'zone'>;

/** The place of an operation that has the change to itself. */
const ONLY = 0;

interface StoredSet extends Pick<SetState, 'members'> {
  readonly row: RecordSetEntity;
}

/** What is left out stays as it is. */
interface AmendedFields {
  readonly data?: string | undefined;
  readonly ttl?: number | null;
  readonly description?: string | null;
}

/** The refusal of a record set that is not there. */
export function noSuchRecordSet(): ServiceError {
  return new ServiceError('record_set_not_found', 'There is no such record set in this zone; list its record sets.');
}

/** In the order of their creation. */
function membersOf(set: Pick<SetState, 'members'> | null): RecordEntity[] {
  return [...(set?.members.values() ?? [])].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function smallestOf(ttls: readonly (number | null)[]): number | null {
  const said = ttls.filter((ttl) => ttl !== null);
  return said.length > 0 ? Math.min(...said) : null;
}
