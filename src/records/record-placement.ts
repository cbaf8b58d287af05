import { Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { isKeyWithin, isWildcardKey, keyAbove, keysOnPath } from '../dns/name-key.js';
import type { RecordType } from '../dns/rdata/index.js';
import type { ZoneChange } from '../zones/zone-change.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import type { RecordContent } from './record-content.js';
import type { RecordSetsAtName } from './record-sets-at-name.js';
import { duplicateOf, RecordRepository } from './record.repository.js';
import { RecordSetRepository } from './record-set.repository.js';
import { RecordsOptions } from './records.options.js';

/** RFC 1035 §4.1.1, §4.1.2: a message's header, and a question's type and class. */
const HEADER = 12;
const QUESTION = 4;
/** RFC 1035 §4.1.3: a compressed owner name, type, class, ttl and RDLENGTH of each answer. */
const ANSWER = 12;
const MAX_MESSAGE = 65_535;

/**
 * Decides whether a record may stand where it is put, beside what is there (behaviour 4.4, 5.6, 5.7). What a type allows is
 * declared in its own file (`Placement` in src/dns/rdata); here it is compared with the zone.
 */
@Injectable()
export class RecordPlacement {
  /** The types below which nothing stands. */
  private readonly endingTypes: readonly RecordType[];
  private readonly factsByChange = new WeakMap<ZoneChange, Facts>();

  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly options: RecordsOptions,
  ) {
    this.endingTypes = [...options.knownTypes].filter(({ placement }) => placement.nothingBelow !== undefined);
  }

  /**
   * @param existing the record sets at the owner name, without the record itself
   * @throws ServiceError `invalid_location`, `invalid_object`; `duplicate_record` for the same value of a type that a name
   *   has once
   */
  async assertAllowed(change: ZoneChange, content: RecordContent, existing: RecordSetsAtName): Promise<void> {
    const type = this.typeNamed(content.type);
    await this.assertInsideZone(change, content, type);
    assertMayStandAt(change, content, type);
    this.assertMayStandBeside(change, content, type, existing);
    await this.assertNotBelowEnd(change, content);
    await this.assertSingle(change, content, type, existing);
    await this.assertExclusive(change, content, type, existing);
    await this.assertNothingBelow(change, content, type);
    assertFitsMessage(content, existing);
  }

  private async assertInsideZone(change: ZoneChange, content: RecordContent, type: RecordType): Promise<void> {
    const { tx, zone } = change;
    if (!isKeyWithin(content.ownerKey, zone.nameKey))
      throw misplaced(`${content.name} does not lie inside ${zone.name}, with which it must end.`);
    const facts = this.factsOf(change);
    facts.hasZoneBelow ??= await this.zones.hasZoneBelow(tx, zone.nameKey);
    if (!facts.hasZoneBelow) return;
    const [child] = await this.zones.findByKeys(tx, keysOnPath(zone.nameKey, content.ownerKey).slice(1));
    if (child === undefined) return;
    if (child.nameKey === content.ownerKey && type.placement.isAtZoneCut) return;
    throw misplaced(`${content.name} belongs to a child of ${zone.name}; create the record there.`);
  }

  private assertMayStandBeside(
    { zone }: ZoneChange,
    content: RecordContent,
    type: RecordType,
    existing: RecordSetsAtName,
  ): void {
    const isApex = content.ownerKey === zone.nameKey;
    for (const other of existing.types.map((name) => this.options.knownTypes.byName(name)))
      if (other !== undefined && (excludes(type, other, isApex) || excludes(other, type, isApex)))
        throw misplaced(
          `${type.name} cannot stand beside ${other.name}, which ${content.name} has. Delete that first.`,
        );
  }

  private async assertNotBelowEnd(change: ZoneChange, { name, ownerKey }: RecordContent): Promise<void> {
    const { tx, zone } = change;
    const { withoutEnd } = this.factsOf(change);
    // What is known of a name is known of all above it.
    if (ownerKey === zone.nameKey || withoutEnd.has(keyAbove(ownerKey))) return;
    const above = keysOnPath(zone.nameKey, keyAbove(ownerKey));
    for (const end of this.endingTypes)
      if (await this.recordSets.hasAtAny(tx, zone.id, end.name, above)) throw misplaced(`${name} ${hiddenBy(end)}.`);
    if (withoutEnd.size > MAX_REMEMBERED) withoutEnd.clear();
    for (const key of above) withoutEnd.add(key);
  }

  private async assertNothingBelow(
    change: ZoneChange,
    { name, ownerKey }: RecordContent,
    type: RecordType,
  ): Promise<void> {
    if (type.placement.nothingBelow === undefined) return;
    if (await this.recordSets.hasBelow(change.tx, change.zone.id, ownerKey))
      throw misplaced(`What stands below ${name} ${hiddenBy(type)}. Delete it first.`);
    this.factsOf(change).withoutEnd.clear();
  }

  /** The very same value again is a duplicate, another one misplaced. */
  private async assertSingle(
    change: ZoneChange,
    content: RecordContent,
    type: RecordType,
    existing: RecordSetsAtName,
  ): Promise<void> {
    if (!type.placement.isSingle || !existing.has(type.name)) return;
    await this.assertNoDuplicate(change, content);
    throw misplaced(`${content.name} has a ${type.name} already; update that one instead.`);
  }

  private async assertExclusive(
    change: ZoneChange,
    content: RecordContent,
    type: RecordType,
    existing: RecordSetsAtName,
  ): Promise<void> {
    const { exclusive } = type.placement;
    if (exclusive === undefined || !existing.has(type.name)) return;
    if (exclusive.includes(content.rdata)) await this.assertNoDuplicate(change, content);
    else if (!(await this.hasExclusive(change, content, type, existing))) return;
    throw misplaced(
      `${content.name} would have ${exclusive.name} beside other ${type.name} records; it stands alone. Delete first what is there.`,
    );
  }

  /** A value that stands alone can only be in a set of one record. */
  private async hasExclusive(
    { tx, zone }: ZoneChange,
    { ownerKey }: RecordContent,
    { name, placement }: RecordType,
    existing: RecordSetsAtName,
  ): Promise<boolean> {
    if (existing.recordCountOf(name) > 1) return false;
    const stored = await this.records.servedSet(tx, zone.id, ownerKey, name);
    return stored.some(({ rdata }) => placement.exclusive?.includes(Buffer.from(rdata, 'hex')));
  }

  private async assertNoDuplicate({ tx, zone }: ZoneChange, content: RecordContent): Promise<void> {
    if ((await this.records.findDuplicate(tx, zone.id, content)) !== undefined) throw duplicateOf(content);
  }

  private typeNamed(name: string): RecordType {
    const type = this.options.knownTypes.byName(name);
    if (type === undefined) throw new Error(`a record was read whose type ${name} is not known`);
    return type;
  }

  private factsOf(change: ZoneChange): Facts {
    let facts = this.factsByChange.get(change);
    if (facts === undefined) {
      facts = { hasZoneBelow: null, withoutEnd: new Set() };
      this.factsByChange.set(change, facts);
    }
    return facts;
  }
}

/** What has been found out about a zone and holds to the end of its change: an import would ask it for every record. */
interface Facts {
  hasZoneBelow: boolean | null;
  /** The keys of names at which, and above which, no type stands that allows nothing below. */
  readonly withoutEnd: Set<string>;
}

/** In names: a zone may have any number of them. */
const MAX_REMEMBERED = 10_000;

function assertMayStandAt({ zone }: ZoneChange, { name, ownerKey }: RecordContent, type: RecordType): void {
  const { notAtApex, notAtWildcard } = type.placement;
  if (notAtApex !== undefined && ownerKey === zone.nameKey)
    throw misplaced(`${type.name} cannot stand at the apex, ${zone.name}: ${notAtApex}.`);
  if (notAtWildcard !== undefined && isWildcardKey(ownerKey))
    throw misplaced(`${type.name} cannot stand at a wildcard, ${name}: ${notAtWildcard}.`);
}

/** Whether a type does not let another one stand beside it. */
function excludes({ name, placement }: RecordType, other: RecordType, isApex: boolean): boolean {
  if (name === other.name) return false;
  return placement.isAlone === true || (!isApex && placement.notBeside?.includes(other.name) === true);
}

function hiddenBy({ name, placement: { nothingBelow = '' } }: RecordType): string {
  return `would lie below a ${name}, which ${nothingBelow}`;
}

/** The set is answered in one message, which TCP limits to 65,535 octets (RFC 1035 §4.2.2). */
function assertFitsMessage(content: RecordContent, existing: RecordSetsAtName): void {
  const records = existing.recordCountOf(content.type) + 1;
  const octets = existing.octetsOf(content.type) + content.rdata.length;
  const message = HEADER + content.ownerOctets + QUESTION + records * ANSWER + octets;
  if (message <= MAX_MESSAGE) return;
  throw ServiceError.ofField(
    'invalid_object',
    'data',
    'maxLength',
    `The record set would fill ${message} octets; a DNS message holds ${MAX_MESSAGE}. Store less under one name.`,
  );
}

function misplaced(message: string): ServiceError {
  return ServiceError.ofField('invalid_location', 'name', 'format', message);
}
