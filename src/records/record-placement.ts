import { Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { isKeyWithin, keyAbove, keysOnPath } from '../dns/name-key.js';
import type { ZoneChange } from '../zones/zone-change.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import type { RecordSetsAtName } from './record-sets-at-name.js';
import type { RecordContent } from './record-content.js';
import { duplicateOf, RecordRepository } from './record.repository.js';
import { RecordSetRepository } from './record-set.repository.js';

/** RFC 1035 §4.1.1, §4.1.2: a message's header, and a question's type and class. */
const HEADER = 12;
const QUESTION = 4;
/** RFC 1035 §4.1.3: a compressed owner name, type, class, ttl and RDLENGTH of each answer. */
const ANSWER = 12;
const MAX_MESSAGE = 65_535;

/** RFC 7505 §3: preference 0 and the root, in RDATA. */
const NULL_MX = '000000';

/** Types that stand on the parent's side of a zone cut (RFC 1034 §4.2.1, RFC 4035 §2.4). */
const CUT_TYPES = new Set(['NS', 'DS']);

/** Where a record may stand, and beside what (behaviour 5.6, 5.7, 4.4). */
@Injectable()
export class RecordPlacement {
  private readonly learnt = new WeakMap<ZoneChange, Learnt>();

  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly recordsets: RecordSetRepository,
  ) {}

  /**
   * @param existing the record sets at the owner name, without the record itself
   * @throws ServiceError `invalid_location`, `invalid_object`; `duplicate_record` for the very same CNAME
   */
  async assertAllowed(change: ZoneChange, content: RecordContent, existing: RecordSetsAtName): Promise<void> {
    await this.assertInsideZone(change, content);
    assertNoDsAtApex(change, content);
    assertNoNsAtWildcard(content);
    assertDnameNotAtCut(change, content, existing);
    await this.assertDnameAtEnd(change, content, existing);
    if (content.type === 'CNAME') await this.assertCnameAlone(change, content, existing);
    else assertNotBesideCname(content, existing);
    if (content.type === 'MX') await this.assertNullMxAlone(change, content, existing);
    assertFitsMessage(content, existing);
  }

  private async assertInsideZone(change: ZoneChange, content: RecordContent): Promise<void> {
    const { tx, zone } = change;
    if (!isKeyWithin(content.ownerKey, zone.nameKey))
      throw misplaced(`${content.name} does not lie inside ${zone.name}; names end with the zone's.`);
    const learnt = this.learntIn(change);
    learnt.hasZoneBelow ??= await this.zones.hasZoneBelow(tx, zone.nameKey);
    if (!learnt.hasZoneBelow) return;
    const [child] = await this.zones.findByKeys(tx, keysOnPath(zone.nameKey, content.ownerKey).slice(1));
    if (child === undefined) return;
    if (child.nameKey === content.ownerKey && CUT_TYPES.has(content.type)) return;
    throw misplaced(`${content.name} belongs to a zone below ${zone.name}; create the record there.`);
  }

  /** RFC 1034 §3.6.2. */
  private async assertCnameAlone(
    change: ZoneChange,
    content: RecordContent,
    existing: RecordSetsAtName,
  ): Promise<void> {
    if (content.ownerKey === change.zone.nameKey)
      throw misplaced("A CNAME cannot stand at the zone's apex, beside its SOA and NS.");
    if (existing.hasOtherThan('CNAME'))
      throw misplaced(`${content.name} has other records; a CNAME stands alone. Delete them first.`);
    await this.assertFirst(change, content, existing);
  }

  /** RFC 6672 §2.3, §2.4: one DNAME at a name, and nothing below it. */
  private async assertDnameAtEnd(
    change: ZoneChange,
    content: RecordContent,
    existing: RecordSetsAtName,
  ): Promise<void> {
    const { tx, zone } = change;
    if (await this.isBelowDname(change, content.ownerKey))
      throw misplaced(`${content.name} lies below a DNAME, which redirects everything there.`);
    if (content.type !== 'DNAME') return;
    await this.assertFirst(change, content, existing);
    if (await this.recordsets.hasBelow(tx, zone.id, content.ownerKey))
      throw misplaced(`There are records below ${content.name}, which a DNAME would hide. Delete them first.`);
    this.learntIn(change).withoutDname.clear();
  }

  private async isBelowDname(change: ZoneChange, ownerKey: string): Promise<boolean> {
    const { tx, zone } = change;
    const { withoutDname } = this.learntIn(change);
    // What is known of a name is known of all above it.
    if (ownerKey === zone.nameKey || withoutDname.has(keyAbove(ownerKey))) return false;
    const above = keysOnPath(zone.nameKey, keyAbove(ownerKey));
    if (await this.recordsets.hasAtAny(tx, zone.id, 'DNAME', above)) return true;
    if (withoutDname.size > MAX_LEARNT) withoutDname.clear();
    for (const key of above) withoutDname.add(key);
    return false;
  }

  /** Of some types a name has one record: the very same again is a duplicate, another one misplaced. */
  private async assertFirst(
    { tx, zone }: ZoneChange,
    content: RecordContent,
    existing: RecordSetsAtName,
  ): Promise<void> {
    if (!existing.has(content.type)) return;
    if ((await this.records.findDuplicate(tx, zone.id, content)) !== undefined) throw duplicateOf(content);
    throw misplaced(`${content.name} has a ${content.type} already; update that one instead.`);
  }

  /** RFC 7505 §3: a null MX says that there is no exchanger, so no exchanger may stand beside it. */
  private async assertNullMxAlone(
    change: ZoneChange,
    content: RecordContent,
    existing: RecordSetsAtName,
  ): Promise<void> {
    if (!existing.has('MX')) return;
    const { tx, zone } = change;
    const nullMx = await this.records.findDuplicate(tx, zone.id, { ...content, fingerprint: NULL_MX });
    if ((nullMx !== undefined) === (content.fingerprint === NULL_MX)) return;
    throw misplaced(
      `A null MX (priority 0, data ".") stands alone; delete the other MX records of ${content.name} first.`,
    );
  }

  private learntIn(change: ZoneChange): Learnt {
    let learnt = this.learnt.get(change);
    if (learnt === undefined) {
      learnt = { hasZoneBelow: null, withoutDname: new Set() };
      this.learnt.set(change, learnt);
    }
    return learnt;
  }
}

/** What a change has found out already, and holds to its end: an import would ask it again for each of its records. */
interface Learnt {
  hasZoneBelow: boolean | null;
  readonly withoutDname: Set<string>;
}

/** A zone of many delegated depths is no reason to remember all of them. */
const MAX_LEARNT = 10_000;

/** RFC 4035 §2.4: DS stands on the parent's side of the cut. */
function assertNoDsAtApex({ zone }: ZoneChange, { type, ownerKey }: RecordContent): void {
  if (type !== 'DS' || ownerKey !== zone.nameKey) return;
  throw misplaced(`DS stands in the parent of ${zone.name}, beside its NS records there.`);
}

/** RFC 4592 §4.2 gives it no meaning, and BIND refuses the zone. */
function assertNoNsAtWildcard({ type, name }: RecordContent): void {
  if (type === 'NS' && name.startsWith('*.')) throw misplaced('A wildcard cannot be delegated; name what is.');
}

/** RFC 6672 §2.3: a name is redirected or delegated; only the apex, which has NS by nature, may have DNAME too. */
function assertDnameNotAtCut(
  { zone }: ZoneChange,
  { type, name, ownerKey }: RecordContent,
  existing: RecordSetsAtName,
): void {
  if (ownerKey === zone.nameKey) return;
  if ((type === 'NS' && existing.has('DNAME')) || (type === 'DNAME' && existing.has('NS')))
    throw misplaced(`${name} would have DNAME and NS: redirect it or delegate it, not both.`);
}

/** RFC 1034 §3.6.2. */
function assertNotBesideCname({ name }: RecordContent, existing: RecordSetsAtName): void {
  if (existing.has('CNAME')) throw misplaced(`${name} is a CNAME, which allows nothing beside it.`);
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
