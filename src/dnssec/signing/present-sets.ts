import { Injectable } from '@nestjs/common';
import { groupedBy } from '../../common/grouped.js';
import type { Transaction } from '../../database/transaction.js';
import { rdataInSignedZone } from '../../dns/dnssec/canonical-rdata.js';
import type { PresentRecords } from '../../dns/dnssec/changed-zone.js';
import { Type, type WireSet } from '../../dns/dnssec/wire-set.js';
import { chainKind, NSEC3PARAM_RDATA } from '../../dns/dnssec/denial.js';
import { DIGEST_TYPES, dsRdata } from '../../dns/dnssec/dnskey.js';
import type { NameSets, ZoneForm } from '../../dns/dnssec/whole-zone.js';
import type { RecordSet } from '../../dns/master-file/master-file-writer.js';
import { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { SignedForm } from '../../publishing/transfers/signed-zones.js';
import { isTransferred } from '../../publishing/transfers/transferred-set.js';
import { RecordRepository } from '../../records/record.repository.js';
import { RecordSetRepository } from '../../records/record-set.repository.js';
import { type OmittedSet, ServedZone } from '../../records/served/served-zone.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { dnskeySetOf, type PreparedSignatures } from '../keys/key-responses.js';
import { dnskeyOf } from '../keys/zone-keys.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { isMade } from '../state/signed-set-form.js';
import type { SigningState, ZoneSigningEntity } from '../state/zone-signing.entity.js';

/** The maximum TTL of DNSKEY, CDS and CDNSKEY in seconds: it bounds the duration of key changes. */
export const LONGEST_KEY_TTL = 3600;

/** No CDS in these states: caches may have answers without signatures. */
const UNPROVEN: ReadonlySet<SigningState> = new Set(['signing', 'proving']);

/** RFC 8078 §4: asks the parent to delete the DS. `0 0 0 00` and `0 3 0 AA==`. */
const NO_CDS = Uint8Array.of(0, 0, 0, 0, 0);
const NO_CDNSKEY = Uint8Array.of(0, 0, 3, 0, 0);

@Injectable()
export class PresentSetsReader {
  constructor(
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly served: ServedZone,
    private readonly options: DnssecOptions,
  ) {}

  /** @param zone with the serial of the publication @param prepared signatures of offline keys */
  apexOf(
    zone: ZoneEntity,
    { denial, state, keyTtl }: Pick<ZoneSigningEntity, 'denial' | 'state' | 'keyTtl'>,
    keys: readonly ZoneKeyEntity[],
    prepared: PreparedSignatures | null,
  ): { readonly generated: readonly WireSet[]; readonly form: ZoneForm } {
    const soa = this.served.soaOf(zone);
    const soaTtl = Math.min(servedSoaTtl(zone), this.options.maxTtl);
    const apex = DomainName.parse(zone.name);
    const nsec3Param = { owner: apex, type: Type.NSEC3PARAM, ttl: 0, rdatas: [NSEC3PARAM_RDATA] };
    const [dnskeys, ...cds] = keySets(apex, keyTtl ?? keyTtlOf(zone), state, keys);
    const generated: WireSet[] = [
      { owner: apex, type: Type.SOA, ttl: soaTtl, rdatas: [soa] },
      dnskeys,
      ...(denial === 'nsec3' ? [nsec3Param] : []),
      // A response need not have CDS and CDNSKEY.
      ...cds.filter((set) => prepared === null || prepared.has(set, keys)),
    ];
    // RFC 9077 §3: NSEC and NSEC3 have the lower of SOA TTL and SOA minimum.
    const denialTtl = Math.min(soaTtl, SOA.values(soa).minimum);
    return { generated, form: { apex, kind: chainKind(denial), denialTtl } };
  }

  of(tx: Transaction, zone: ZoneEntity, generated: readonly WireSet[]): PresentSets {
    const { records, recordSets, served, options } = this;
    return new PresentSets(tx, zone, generated, options.maxTtl, { records, recordSets, served });
  }
}

/** The TTL of DNSKEY, CDS and CDNSKEY in seconds, unless a KSK is offline. */
export function keyTtlOf({ ttl }: Pick<ZoneEntity, 'ttl'>): number {
  return Math.min(ttl, LONGEST_KEY_TTL);
}

/** DNSKEY first, and CDS and CDNSKEY from the state `ready` on. */
export function keySets(
  owner: DomainName,
  ttl: number,
  state: SigningState,
  keys: readonly ZoneKeyEntity[],
): [WireSet, ...WireSet[]] {
  return [{ owner, ...dnskeySetOf(keys, ttl) }, ...cdsSets(owner, ttl, state, keys)];
}

function cdsSets(owner: DomainName, ttl: number, state: SigningState, keys: readonly ZoneKeyEntity[]): WireSet[] {
  const entries = keys.filter(({ isInCds }) => isInCds === 1).map(dnskeyOf);
  if (UNPROVEN.has(state) || entries.length === 0) return [];
  const isLeaving = state === 'leaving';
  const cds = isLeaving ? [NO_CDS] : entries.map((key) => dsRdata(owner, key, DIGEST_TYPES.SHA256));
  return [
    { owner, type: Type.CDS, ttl, rdatas: cds },
    { owner, type: Type.CDNSKEY, ttl, rdatas: isLeaving ? [NO_CDNSKEY] : entries },
  ];
}

interface RecordReaders {
  readonly records: RecordRepository;
  readonly recordSets: RecordSetRepository;
  readonly served: ServedZone;
}

export class PresentSets implements PresentRecords {
  private readonly apex: DomainName;

  constructor(
    private readonly tx: Transaction,
    private readonly zone: ZoneEntity,
    private readonly generated: readonly WireSet[],
    private readonly maxTtl: number,
    private readonly readers: RecordReaders,
  ) {
    this.apex = DomainName.parse(zone.name);
  }

  async setsAt(keys: readonly string[]): Promise<ReadonlyMap<string, NameSets>> {
    const { tx, zone, readers } = this;
    const { nameKey } = zone;
    const stored = (await readers.records.setsAt(tx, zone.id, keys)).filter(({ type }) => readers.served.isKnown(type));
    // The service generates apex NS for a zone that stores none.
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
    const own = signable(found, { maxTtl: this.maxTtl, isFolded: true }).filter((set) => !isMade(set, this.apex));
    return byName([...(keys.includes(nameKey) ? this.generated : []), ...own]);
  }

  async typesAt(keys: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const sets = await this.setsAt(keys);
    return new Map([...sets].map(([key, some]) => [key, some.map(({ type }) => type)]));
  }

  namesBelow(key: string, most: number): Promise<readonly string[]> {
    return this.readers.recordSets.namesBelow(this.tx, this.zone.id, key, most);
  }
}

/** Sets in the form of transfers. Sets that transfers omit are not signed. */
export function signable(sets: readonly (RecordSet | OmittedSet)[], { maxTtl, isFolded }: SignedForm): WireSet[] {
  return sets.filter(isTransferred).map(({ owner, type, ttl, rdatas }) => ({
    owner,
    type: type.code,
    ttl: Math.min(ttl, maxTtl),
    rdatas: isFolded ? rdatas.map((rdata) => rdataInSignedZone(type.code, rdata)) : rdatas,
  }));
}

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
