import { ServiceError } from '../common/service-error.js';
import { plainNameOfKey } from '../dns/name-key.js';
import {
  type DeferredOperations,
  type OperationScope,
  type RecordOperation,
  type ReplaceOperation,
  NO_NOTES,
} from '../records/changes/record-operation.js';
import type { ZoneState } from '../records/changes/state/zone-state.js';
import type { ServedZone } from '../records/served/served-zone.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { assertPrerequisites, ServedState } from './served-state.js';
import type { SetPrerequisite, SetStep, SetUpdate, Types } from './typed-update.js';
import { CNAME } from '../dns/rdata/name-types.js';
import { ALIAS, type RecordTypes } from '../dns/rdata/index.js';
import type { RecordContent } from '../records/record-content.js';
import { DomainName } from '../dns/name.js';
import type { RecordEntity } from '../records/record.entity.js';

/** Turns a message into one change that judges prerequisites inside its transaction (behaviour 20.2). */
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

  /** Behaviour 5.7: a child zone owns the names below its cut, and this zone the types at the cut. */
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

/** Applies the steps of a message to a zone one after the other (RFC 2136 §3.4.2). */
class ZoneDraft {
  private readonly drafts = new Map<string, Map<string, SetDraft>>();

  constructor(
    private readonly served: ServedState,
    private readonly types: RecordTypes,
  ) {}

  /** Skips steps that the RFC ignores, and steps on generated records (behaviour 20.5). */
  take(step: SetStep): void {
    switch (step.does) {
      case 'add':
        return this.add(step.ownerKey, step.content);
      case 'delete record':
        return this.deleteRecord(step.ownerKey, step.type, step.fingerprint);
      case 'delete set':
        if (!this.served.isApexNs(step.ownerKey, step.type)) this.setAt(step.ownerKey, step.type).clear();
        return;
      case 'delete name':
        for (const type of this.typesAt(step.ownerKey))
          if (type !== ALIAS.name && !this.served.isApexNs(step.ownerKey, type))
            this.setAt(step.ownerKey, type).clear();
    }
  }

  /** The resulting replacements, in index order for fewer page writes. */
  replacements(): ReplaceOperation[] {
    const owners = [...this.drafts].sort(([one], [other]) => (one < other ? -1 : 1));
    return owners.flatMap(([, sets]) => [...sets.values()].flatMap((draft) => draft.replacement() ?? []));
  }

  private add(ownerKey: string, content: RecordContent): void {
    const { type, fingerprint } = content;
    if (this.mayNotStandBeside(ownerKey, type) || this.isGenerated(ownerKey, type, fingerprint)) return;
    const set = this.setAt(ownerKey, type);
    const isSingle = this.types.byName(type)?.placement.isSingle === true;
    if (isSingle && !set.has(fingerprint)) set.clear();
    set.add(content);
  }

  /** Keeps the last apex NS and generated NS. */
  private deleteRecord(ownerKey: string, type: string, fingerprint: string): void {
    if (this.isGenerated(ownerKey, type, fingerprint)) return;
    const set = this.setAt(ownerKey, type);
    const isNs = this.served.isApexNs(ownerKey, type);
    if (isNs && set.size === 1 && this.served.generatedNs.size === 0) return;
    set.delete(fingerprint);
  }

  /** RFC 2136 §3.4.2.2: a CNAME excludes other types. */
  private mayNotStandBeside(ownerKey: string, type: string): boolean {
    if (type !== CNAME.name) return this.isThere(ownerKey, CNAME.name);
    if (this.served.isApex(ownerKey)) return true;
    return [...this.typesAt(ownerKey)].some((other) => other !== type && this.isThere(ownerKey, other));
  }

  private isGenerated(ownerKey: string, type: string, fingerprint: string): boolean {
    return this.served.isApexNs(ownerKey, type) && this.served.generatedNs.has(fingerprint);
  }

  private typesAt(ownerKey: string): ReadonlySet<string> {
    const stored = this.served.state.setsAt(ownerKey).keys();
    return new Set([...stored, ...(this.drafts.get(ownerKey)?.keys() ?? [])]);
  }

  private isThere(ownerKey: string, type: string): boolean {
    const draft = this.drafts.get(ownerKey)?.get(type);
    return draft === undefined ? this.served.hasSet(ownerKey, type) : draft.size > 0;
  }

  private setAt(ownerKey: string, type: string): SetDraft {
    const sets = this.drafts.get(ownerKey) ?? new Map<string, SetDraft>();
    this.drafts.set(ownerKey, sets);
    let draft = sets.get(type);
    if (draft === undefined) {
      const { served } = this;
      const members = served.membersOf(ownerKey, type);
      draft = new SetDraft(ownerKey, type, members, served.ttlOf(ownerKey, type), served.zone.ttl);
      sets.set(type, draft);
    }
    return draft;
  }
}

const NOTHING_STORED: ReadonlyMap<string, RecordEntity> = new Map();

class SetDraft {
  /** By fingerprint. */
  private readonly stored: ReadonlyMap<string, RecordEntity>;
  private readonly contents: Map<string, RecordContent | RecordEntity>;
  private hasAdded = false;

  /**
   * @param members all stored records of the set
   * @param ttl served TTL; `null` without the set
   */
  constructor(
    private readonly ownerKey: string,
    private readonly type: string,
    members: readonly RecordEntity[],
    private ttl: number | null,
    private readonly zoneTtl: number,
  ) {
    this.stored = members.length === 0 ? NOTHING_STORED : new Map(members.map((one) => [one.fingerprint, one]));
    this.contents = new Map(this.stored);
  }

  get size(): number {
    return this.contents.size;
  }

  has(fingerprint: string): boolean {
    return this.contents.has(fingerprint);
  }

  /** The last addition sets the TTL of the set (RFC 2181 §5.2). Present records are not added (behaviour 20.5). */
  add(content: RecordContent): void {
    const { fingerprint, ttl } = content;
    if (this.contents.has(fingerprint) && ttl === this.ttl) return;
    if (!this.contents.has(fingerprint)) this.contents.set(fingerprint, this.stored.get(fingerprint) ?? content);
    this.ttl = ttl;
    this.hasAdded = true;
  }

  delete(fingerprint: string): void {
    this.contents.delete(fingerprint);
  }

  clear(): void {
    this.contents.clear();
  }

  replacement(): ReplaceOperation | null {
    const left = [...this.contents.values()];
    const isSame =
      left.length === this.stored.size &&
      left.every((content) => this.stored.get(content.fingerprint)?.ttl === this.newTtlOf(content));
    if (isSame) return null;
    const contents = left.map((content) => ({
      ...('id' in content ? contentOfStored(content) : content),
      ttl: this.newTtlOf(content),
      leftOut: NO_NOTES,
    }));
    return { action: 'replace', ownerKey: this.ownerKey, type: this.type, contents };
  }

  private newTtlOf({ ttl }: RecordContent | RecordEntity): number | null {
    return this.hasAdded && (ttl ?? this.zoneTtl) !== this.ttl ? this.ttl : ttl;
  }
}

function contentOfStored(record: RecordEntity): RecordContent {
  const { name, ownerKey, type, data, priority, ttl, description, expiresAt, fingerprint } = record;
  return {
    name,
    ownerOctets: DomainName.parse(name).wire.length,
    ownerKey,
    type,
    data,
    priority,
    ttl,
    description,
    expiresAt,
    rdata: Buffer.from(record.rdata, 'hex'),
    fingerprint,
  };
}
