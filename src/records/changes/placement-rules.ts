import { because, type RefusalFacts } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import { isKeyWithin, isWildcardKey } from '../../dns/name-key.js';
import type { RecordType, RecordTypes } from '../../dns/rdata/index.js';
import type { RecordContent } from '../record-content.js';
import { type ZoneState, namesAbove } from './state/zone-state.js';

export interface Placed {
  readonly id: string;
  readonly content: RecordContent;
  readonly type: RecordType;
  readonly knownTypes: RecordTypes;
}

export type PlacementRule = (state: ZoneState, placed: Placed) => ServiceError | null;

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

/** Interface section 4.1: a root owner name in another zone has an error of its own. */
function rootRefused(): ServiceError {
  const message = 'name: "." is the root: write a name below it.';
  return ServiceError.ofField('invalid_object', 'name', 'format', message, because('owner_name', {}));
}

/** Behaviour 5.7: at a delegated name, only the records of the parent side may exist. */
export const notDelegated: PlaceRule = (state, { content: { name, ownerKey }, type }) => {
  // The root zone holds addresses of name servers of delegated zones (RFC 1034 §4.2.1).
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

/** Behaviour 23.4: a signed zone publishes its own CDS and CDNSKEY. */
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

/** An equal value is a duplicate, another value is misplaced. */
export const singletonType: PlacementRule = (state, { content, type }) => {
  if (!type.placement.isSingle || (state.set(content.ownerKey, type.name)?.recordCount ?? 0) < 2) return null;
  const duplicate = duplicateError(state, { content });
  if (duplicate !== null) return duplicate;
  const message = `${content.name} has a ${type.name} already; update that one instead.`;
  return misplaced(message, because('only_one', { type: type.name, name: content.name }));
};

/** Allows an exclusive value only as the single record of its set. */
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

/** Behaviour 4.4: the response with the set must fit into one TCP message of 65,535 octets (RFC 1035 §4.2.2). */
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

export const PLACE_RULES: readonly PlaceRule[] = [insideZone, notDelegated, allowedAtName, isNotMadeBySigning];

/** In the order of the checks. */
export const PLACEMENT_RULES: readonly PlacementRule[] = [
  ...PLACE_RULES,
  coexistence,
  notOccluded,
  singletonType,
  exclusiveValue,
  noOccludedBelow,
  fitsMessage,
];

/** Behaviour 5.5. */
export function duplicateError(state: ZoneState, { content }: Pick<Placed, 'content'>): ServiceError | null {
  const { name, type } = content;
  if (state.recordsLike(content).length < 2) return null;
  const message = `${name} has this ${type} record already; update that one instead.`;
  return ServiceError.because('duplicate_record', because('duplicate_record', { name, type }), message);
}

const endingByTypes = new WeakMap<RecordTypes, readonly RecordType[]>();

export function occludingTypes(types: RecordTypes): readonly RecordType[] {
  let ending = endingByTypes.get(types);
  if (ending === undefined) {
    ending = [...types].filter(({ placement }) => placement.nothingBelow !== undefined);
    endingByTypes.set(types, ending);
  }
  return ending;
}

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
