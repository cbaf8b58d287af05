import { groupedBy } from '../../common/grouped.js';
import type { Transaction } from '../../database/transaction.js';
import { rdataInSignedZone } from '../../dns/dnssec/canonical-rdata.js';
import type { PresentRecords } from '../../dns/dnssec/changed-zone.js';
import type { NameSets } from '../../dns/dnssec/whole-zone.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import { DomainName } from '../../dns/name.js';
import type { SignedForm } from '../../publishing/transfers/signed-zones.js';
import { isTransferred } from '../../publishing/transfers/transferred-set.js';
import type { RecordRepository } from '../../records/record.repository.js';
import type { RecordSetRepository } from '../../records/record-set.repository.js';
import { isMade } from '../state/signed-set-form.js';
import { type OmittedSet, type ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** Where the records of zones are. */
export interface RecordReaders {
  readonly records: RecordRepository;
  readonly sets: RecordSetRepository;
  readonly served: ServedZone;
}

/** The record sets of a zone as they are signed, read as they are asked for. */
export class PresentSets implements PresentRecords {
  private readonly apex: DomainName;

  /** @param made the sets that the service makes at the apex; there NS is asked for even where none is stored */
  constructor(
    private readonly tx: Transaction,
    private readonly zone: ZoneEntity,
    private readonly made: readonly WireSet[],
    private readonly maxTtl: number,
    private readonly readers: RecordReaders,
  ) {
    this.apex = DomainName.parse(zone.name);
  }

  async setsAt(keys: readonly string[]): Promise<ReadonlyMap<string, NameSets>> {
    const { tx, zone, readers } = this;
    const { nameKey } = zone;
    const stored = (await readers.records.setsAt(tx, zone.id, keys)).filter(({ type }) => readers.served.isKnown(type));
    const isNsMissing =
      keys.includes(nameKey) && !stored.some(({ ownerKey, type }) => ownerKey === nameKey && type === 'NS');
    const sets = isNsMissing ? [...stored, { ownerKey: nameKey, type: 'NS' }] : stored;
    const rows = groupedBy(
      await readers.records.ofSets(tx, zone.id, sets),
      ({ ownerKey, type }) => `${type} ${ownerKey}`,
    );
    const found = sets.flatMap((set) =>
      readers.served.setAt(zone, set, inOrder(rows.get(`${set.type} ${set.ownerKey}`) ?? [])),
    );
    const made = keys.includes(nameKey) ? this.made : [];
    return byName([
      ...made,
      ...signable(found, { maxTtl: this.maxTtl, isFolded: true }).filter((set) => !isMade(set, this.apex)),
    ]);
  }

  async typesAt(keys: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const sets = await this.setsAt(keys);
    return new Map([...sets].map(([key, some]) => [key, some.map(({ type }) => type)]));
  }

  namesBelow(key: string, most: number): Promise<readonly string[]> {
    return this.readers.sets.namesBelow(this.tx, this.zone.id, key, most);
  }
}

/** Sets as they are in transfers; what is in none is not signed either. */
export function signable(sets: readonly (RecordSet | OmittedSet)[], { maxTtl, isFolded }: SignedForm): WireSet[] {
  return sets.filter(isTransferred).map(({ owner, type, ttl, rdatas }) => ({
    owner,
    type: type.code,
    ttl: Math.min(ttl, maxTtl),
    rdatas: isFolded ? rdatas.map((rdata) => rdataInSignedZone(type.code, rdata)) : rdatas,
  }));
}

/** The sets of each name, in the order in which the names come. */
export function byName(sets: readonly WireSet[]): Map<string, NameSets> {
  const names = new Map<string, [WireSet, ...WireSet[]]>();
  for (const set of sets) {
    const known = names.get(set.owner.key);
    if (known === undefined) names.set(set.owner.key, [set]);
    else known.push(set);
  }
  return names;
}

function inOrder<Row extends { readonly fingerprint: string }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
}
