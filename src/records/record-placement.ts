import { Injectable } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { isKeyWithin } from '../dns/name.js';
import type { DomainChange } from '../domains/domain-change.js';
import { DomainRepository } from '../domains/domain.repository.js';
import type { OwnerSets } from './owner-sets.js';
import type { RecordContent } from './record-content.js';
import { duplicateOf, RecordRepository } from './record.repository.js';
import { RecordsetRepository } from './recordset.repository.js';

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
  private readonly learnt = new WeakMap<DomainChange, Learnt>();

  constructor(
    private readonly domains: DomainRepository,
    private readonly records: RecordRepository,
    private readonly recordsets: RecordsetRepository,
  ) {}

  /**
   * @param beside the record sets at the owner name, without the record itself
   * @throws ServiceError `invalid_recordset_location`, `invalid_object`; `duplicate_record` for the very same CNAME
   */
  async assertAllowed(change: DomainChange, content: RecordContent, beside: OwnerSets): Promise<void> {
    await this.assertInsideDomain(change, content);
    assertNoDsAtApex(change, content);
    assertNoNsAtWildcard(content);
    assertDnameNotAtCut(change, content, beside);
    await this.assertDnameAtEnd(change, content, beside);
    if (content.type === 'CNAME') await this.assertCnameAlone(change, content, beside);
    else assertNotBesideCname(content, beside);
    if (content.type === 'MX') await this.assertNullMxAlone(change, content, beside);
    assertFitsMessage(content, beside);
  }

  private async assertInsideDomain(change: DomainChange, content: RecordContent): Promise<void> {
    const { tx, domain } = change;
    if (!isKeyWithin(content.ownerKey, domain.nameKey))
      throw misplaced(`${content.name} does not lie inside ${domain.name}; names end with the domain's.`);
    const learnt = this.learntIn(change);
    learnt.hasDomainBelow ??= await this.domains.hasDomainBelow(tx, domain.nameKey);
    if (!learnt.hasDomainBelow) return;
    const [child] = await this.domains.findByKeys(tx, keysBetween(domain.nameKey, content.ownerKey));
    if (child === undefined) return;
    if (child.nameKey === content.ownerKey && CUT_TYPES.has(content.type)) return;
    throw misplaced(`${content.name} belongs to a domain below ${domain.name}; create the record there.`);
  }

  /** RFC 1034 §3.6.2. */
  private async assertCnameAlone(change: DomainChange, content: RecordContent, beside: OwnerSets): Promise<void> {
    if (content.ownerKey === change.domain.nameKey)
      throw misplaced("A CNAME cannot stand at the domain's apex, beside its SOA and NS.");
    if (beside.hasOtherThan('CNAME'))
      throw misplaced(`${content.name} has other records; a CNAME stands alone. Delete them first.`);
    await this.assertFirst(change, content, beside);
  }

  /** RFC 6672 §2.3, §2.4: one DNAME at a name, and nothing below it. */
  private async assertDnameAtEnd(change: DomainChange, content: RecordContent, beside: OwnerSets): Promise<void> {
    const { tx, domain } = change;
    if (await this.isBelowDname(change, content.ownerKey))
      throw misplaced(`${content.name} lies below a DNAME, which redirects everything there.`);
    if (content.type !== 'DNAME') return;
    await this.assertFirst(change, content, beside);
    if (await this.recordsets.hasBelow(tx, domain.id, content.ownerKey))
      throw misplaced(`There are records below ${content.name}, which a DNAME would hide. Delete them first.`);
    this.learntIn(change).withoutDname.clear();
  }

  private async isBelowDname(change: DomainChange, ownerKey: string): Promise<boolean> {
    const { tx, domain } = change;
    const { withoutDname } = this.learntIn(change);
    // What is known of a name is known of all above it.
    if (ownerKey === domain.nameKey || withoutDname.has(keyAbove(ownerKey))) return false;
    const above = keysBetween(domain.nameKey, keyAbove(ownerKey)).concat(domain.nameKey);
    if (await this.recordsets.hasAtAny(tx, domain.id, 'DNAME', above)) return true;
    if (withoutDname.size > MAX_LEARNT) withoutDname.clear();
    for (const key of above) withoutDname.add(key);
    return false;
  }

  /** Of some types a name has one record: the very same again is a duplicate, another one misplaced. */
  private async assertFirst({ tx, domain }: DomainChange, content: RecordContent, beside: OwnerSets): Promise<void> {
    if (!beside.has(content.type)) return;
    if ((await this.records.findDuplicate(tx, domain.id, content)) !== undefined) throw duplicateOf(content);
    throw misplaced(`${content.name} has a ${content.type} already; update that one instead.`);
  }

  /** RFC 7505 §3: a null MX says that there is no exchanger, so no exchanger may stand beside it. */
  private async assertNullMxAlone(change: DomainChange, content: RecordContent, beside: OwnerSets): Promise<void> {
    if (!beside.has('MX')) return;
    const { tx, domain } = change;
    const nullMx = await this.records.findDuplicate(tx, domain.id, { ...content, fingerprint: NULL_MX });
    if ((nullMx !== undefined) === (content.fingerprint === NULL_MX)) return;
    throw misplaced(
      `A null MX (priority 0, data ".") stands alone; delete the other MX records of ${content.name} first.`,
    );
  }

  private learntIn(change: DomainChange): Learnt {
    let learnt = this.learnt.get(change);
    if (learnt === undefined) {
      learnt = { hasDomainBelow: null, withoutDname: new Set() };
      this.learnt.set(change, learnt);
    }
    return learnt;
  }
}

/** What a change has found out already, and holds to its end: an import would ask it again for each of its records. */
interface Learnt {
  hasDomainBelow: boolean | null;
  readonly withoutDname: Set<string>;
}

/** A zone of many delegated depths is no reason to remember all of them. */
const MAX_LEARNT = 10_000;

/** RFC 4035 §2.4: DS stands on the parent's side of the cut. */
function assertNoDsAtApex({ domain }: DomainChange, { type, ownerKey }: RecordContent): void {
  if (type !== 'DS' || ownerKey !== domain.nameKey) return;
  throw misplaced(`DS stands in the parent of ${domain.name}, beside its NS records there.`);
}

/** RFC 4592 §4.2 gives it no meaning, and BIND refuses the zone. */
function assertNoNsAtWildcard({ type, name }: RecordContent): void {
  if (type === 'NS' && name.startsWith('*.')) throw misplaced('A wildcard cannot be delegated; name what is.');
}

/** RFC 6672 §2.3: a name is redirected or delegated; only the apex, which has NS by nature, may have DNAME too. */
function assertDnameNotAtCut(
  { domain }: DomainChange,
  { type, name, ownerKey }: RecordContent,
  beside: OwnerSets,
): void {
  if (ownerKey === domain.nameKey) return;
  if ((type === 'NS' && beside.has('DNAME')) || (type === 'DNAME' && beside.has('NS')))
    throw misplaced(`${name} would have DNAME and NS: redirect it or delegate it, not both.`);
}

/** RFC 1034 §3.6.2. */
function assertNotBesideCname({ name }: RecordContent, beside: OwnerSets): void {
  if (beside.has('CNAME')) throw misplaced(`${name} is a CNAME, which allows nothing beside it.`);
}

/** The set is answered in one message, which TCP limits to 65,535 octets (RFC 1035 §4.2.2). */
function assertFitsMessage(content: RecordContent, beside: OwnerSets): void {
  const records = beside.recordCountOf(content.type) + 1;
  const octets = beside.octetsOf(content.type) + content.rdata.length;
  const message = HEADER + content.ownerOctets + QUESTION + records * ANSWER + octets;
  if (message <= MAX_MESSAGE) return;
  throw ServiceError.ofField(
    'invalid_object',
    'data',
    'maxLength',
    `The record set would fill ${message} octets; a DNS message holds ${MAX_MESSAGE}. Store less under one name.`,
  );
}

/** The keys of the names below `domainKey` down to `ownerKey` itself. */
function keysBetween(domainKey: string, ownerKey: string): string[] {
  const keys: string[] = [];
  for (let end = ownerKey.length; end > domainKey.length; end = ownerKey.lastIndexOf(' ', end - 1))
    keys.push(ownerKey.slice(0, end));
  return keys;
}

/** The key of the name one label up. */
function keyAbove(key: string): string {
  return key.slice(0, key.lastIndexOf(' '));
}

function misplaced(message: string): ServiceError {
  return ServiceError.ofField('invalid_recordset_location', 'name', 'format', message);
}
