import { because, type RefusalFacts } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import { isKeyWithin, isWildcardKey } from '../../dns/name-key.js';
import type { RecordType, RecordTypes } from '../../dns/rdata/index.js';
import type { RecordContent } from '../record-content.js';
import { type ZoneState, namesAbove } from './state/zone-state.js';

/** A record that has been put into a state, and that must be allowed to stand there. */
export interface Placed {
  readonly id: string;
  readonly content: RecordContent;
  readonly type: RecordType;
  /** Every type that may be stored. */
  readonly knownTypes: RecordTypes;
}

/** Says why the record may not stand where it has been put, or `null`. */
export type PlacementRule = (state: ZoneState, placed: Placed) => ServiceError | null;

/** The same of a set that has no records yet. */
type PlaceRule = (
  state: ZoneState,
  at: { readonly content: Pick<RecordContent, 'name' | 'ownerKey'>; readonly type: RecordType },
) => ServiceError | null;

/** RFC 1035 §4.1.1, §4.1.2: a message's header, and a question's type and class. */
const HEADER = 12;
const QUESTION = 4;
/** RFC 1035 §4.1.3: a compressed owner name, type, class, ttl and RDLENGTH of each answer. */
const ANSWER = 12;
const MAX_MESSAGE = 65_535;
/** The key of the root. */
const ROOT = '';

/** Behaviour 5.7. */
export const insideZone: PlaceRule = ({ zone }, { content: { name, ownerKey } }) => {
  if (isKeyWithin(ownerKey, zone.nameKey)) return null;
  if (ownerKey === ROOT) return rootRefused();
  return misplaced(
    `${name} is outside ${zone.name}: the names of its records end with that.`,
    because('outside_domain', { name, domain: zone.name }),
  );
};

/** Interface section 4.1: no record of another zone is at the root, whatever else is wrong with it. */
function rootRefused(): ServiceError {
  const message = 'name: "." is the root: write a name below it.';
  return ServiceError.ofField('invalid_object', 'name', 'format', message, because('owner_name', {}));
}

/** Behaviour 5.7: at the name of a zone below stands only what belongs to the parent's side. */
export const notDelegated: PlaceRule = (state, { content: { name, ownerKey }, type }) => {
  // Below the root are zones of everybody, and it holds addresses of their name servers (RFC 1034 §4.2.1).
  if (state.zone.nameKey === ROOT && type.role === 'address') return null;
  const child = state.zoneBelow(ownerKey);
  if (child === null || (child === ownerKey && type.placement.isAtZoneCut)) return null;
  const message = `${name} belongs to a child zone of ${state.zone.name}; create the record there.`;
  return misplaced(message, because('in_child_domain', { name, domain: state.zone.name }));
};

export const allowedAtName: PlaceRule = ({ zone }, { content: { name, ownerKey }, type }) => {
  const { notAtApex, notAtWildcard } = type.placement;
  if (notAtApex !== undefined && ownerKey === zone.nameKey)
    return misplaced(
      `${type.name} cannot stand at the apex, ${zone.name}: ${notAtApex}.`,
      because('not_at_apex', { type: type.name, domain: zone.name }),
    );
  if (notAtWildcard !== undefined && isWildcardKey(ownerKey))
    return misplaced(
      `${type.name} cannot stand at a wildcard, ${name}: ${notAtWildcard}.`,
      because('not_at_wildcard', { type: type.name, name }),
    );
  return null;
};

/** Behaviour 23.4: a signed zone says itself which DS it wants. */
const isNotMadeBySigning: PlaceRule = ({ zone }, { content: { ownerKey }, type }) => {
  if (zone.publishedSerial === null || ownerKey !== zone.nameKey || !MADE_BY_SIGNING.has(type.name)) return null;
  return new ServiceError(
    'signing_conflict',
    `${zone.name} is signed, and has ${type.name} records of its own making.`,
  );
};

const MADE_BY_SIGNING: ReadonlySet<string> = new Set(['CDS', 'CDNSKEY']);

/** Behaviour 5.6. */
export const coexistence: PlacementRule = (state, { content: { name, ownerKey }, type, knownTypes }) => {
  const isApex = ownerKey === state.zone.nameKey;
  for (const [otherName, set] of state.setsAt(ownerKey)) {
    const other = set.exists ? knownTypes.byName(otherName) : undefined;
    if (other !== undefined && (excludes(type, other, isApex) || excludes(other, type, isApex)))
      return misplaced(
        `${type.name} cannot stand beside ${other.name}, which ${name} has. Delete that first.`,
        because('not_beside', { type: type.name, other: other.name, name }),
      );
  }
  return null;
};

/** Behaviour 5.10. */
export const notOccluded: PlacementRule = (state, { content: { name, ownerKey }, knownTypes }) => {
  const above = namesAbove(state.zone, ownerKey);
  const end = occludingTypes(knownTypes).find((type) => above.some((key) => state.isOccluding(type.name, key)));
  return end === undefined
    ? null
    : misplaced(`${name} ${hiddenBy(end)}.`, because('hidden_by', { type: end.name, name }));
};

/** The very same value again is a duplicate, another one misplaced. */
export const singletonType: PlacementRule = (state, { content, type }) => {
  if (!type.placement.isSingle || (state.set(content.ownerKey, type.name)?.recordCount ?? 0) < 2) return null;
  const duplicate = duplicateError(state, { content });
  if (duplicate !== null) return duplicate;
  const message = `${content.name} has a ${type.name} already; update that one instead.`;
  return misplaced(message, because('only_one', { type: type.name, name: content.name }));
};

/** A value that stands alone in its set is a member of it, or there are none. */
export const exclusiveValue: PlacementRule = (state, { id, content, type }) => {
  const { exclusive } = type.placement;
  const set = state.set(content.ownerKey, type.name);
  if (exclusive === undefined || set === null || set.recordCount < 2) return null;
  if (exclusive.includes(content.rdata)) {
    const duplicate = duplicateError(state, { content });
    if (duplicate !== null) return duplicate;
  } else {
    const others = [...set.members.values()].filter((member) => member.id !== id);
    if (!others.some(({ rdata }) => exclusive.includes(Buffer.from(rdata, 'hex')))) return null;
  }
  return misplaced(
    `${content.name} would have ${exclusive.name} beside other ${type.name} records; it stands alone. Delete first what is there.`,
    because('stands_alone', { type: type.name, value: exclusive.name, name: content.name }),
  );
};

/** Behaviour 5.10. */
export const noOccludedBelow: PlacementRule = (state, { content: { name, ownerKey }, type }) =>
  type.placement.nothingBelow !== undefined && state.hasBelow(ownerKey)
    ? misplaced(
        `What stands below ${name} ${hiddenBy(type)}. Delete it first.`,
        because('hides_others', { type: type.name, name }),
      )
    : null;

/** Behaviour 4.4: the set is answered in one message, which TCP limits to 65,535 octets (RFC 1035 §4.2.2). */
export const fitsMessage: PlacementRule = (state, { content }) => {
  const { recordCount = 0, octets = 0 } = state.set(content.ownerKey, content.type)?.row ?? {};
  const message = HEADER + content.ownerOctets + QUESTION + recordCount * ANSWER + octets;
  if (message <= MAX_MESSAGE) return null;
  return ServiceError.ofField(
    'invalid_object',
    'data',
    'maxLength',
    `The record set would fill ${message} octets; a DNS message holds ${MAX_MESSAGE}. Store less under one name.`,
    because('set_too_large', { octets: message, maximum: MAX_MESSAGE }),
  );
};

/** Rules for a set, whatever its records. */
export const PLACE_RULES: readonly PlaceRule[] = [insideZone, notDelegated, allowedAtName, isNotMadeBySigning];

/** In the order in which they are checked. */
export const PLACEMENT_RULES: readonly PlacementRule[] = [
  ...PLACE_RULES,
  coexistence,
  notOccluded,
  singletonType,
  exclusiveValue,
  noOccludedBelow,
  fitsMessage,
];

/** Behaviour 5.5: no other record has the same content. */
export function duplicateError(state: ZoneState, { content }: Pick<Placed, 'content'>): ServiceError | null {
  const { name, type } = content;
  if (state.recordsLike(content).length < 2) return null;
  const message = `${name} has this ${type} record already; update that one instead.`;
  return ServiceError.because('duplicate_record', because('duplicate_record', { name, type }), message);
}

const endingByTypes = new WeakMap<RecordTypes, readonly RecordType[]>();

/** The types below which nothing stands. */
export function occludingTypes(types: RecordTypes): readonly RecordType[] {
  let ending = endingByTypes.get(types);
  if (ending === undefined) {
    ending = [...types].filter(({ placement }) => placement.nothingBelow !== undefined);
    endingByTypes.set(types, ending);
  }
  return ending;
}

/** Whether a type does not let another one stand beside it. */
function excludes({ name, placement }: RecordType, other: RecordType, isApex: boolean): boolean {
  if (name === other.name) return false;
  return placement.isAlone === true || (!isApex && placement.notBeside?.includes(other.name) === true);
}

function hiddenBy({ name, placement: { nothingBelow = '' } }: RecordType): string {
  return `would lie below a ${name}, which ${nothingBelow}`;
}

function misplaced(message: string, facts: RefusalFacts): ServiceError {
  return ServiceError.ofField('invalid_location', 'name', 'format', message, facts);
}
