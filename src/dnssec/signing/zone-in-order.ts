import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { chainKind } from '../../dns/dnssec/denial.js';
import type { NameSets, ZoneForm } from '../../dns/dnssec/whole-zone.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import { DomainName } from '../../dns/name.js';
import { PointInTimeZones } from '../../history/point-in-time-zones.js';
import type { SignedForm } from '../../publishing/transfers/signed-zones.js';
import type { OmittedSet } from '../../records/served/served-zone.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { isMade } from '../state/signed-set-form.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { apexSets, denialTtlOf } from './apex-sets.js';
import { byName, signable } from './present-sets.js';
import { CaseFolding } from './case-folding.js';

/** All that has to be signed of a zone, as it is read. */
export interface OrderedZone {
  readonly zone: ZoneEntity;
  readonly keys: readonly ZoneKeyEntity[];
  readonly form: ZoneForm;
  /** In canonical order, with all their sets; the apex first, with what is made there. */
  readonly names: AsyncIterable<readonly NameSets[]>;
}

/** Reads whole zones as signing sees them. */
@Injectable()
export class ZoneInOrder {
  constructor(
    private readonly served: ServedZone,
    private readonly pointInTimeZones: PointInTimeZones,
    private readonly keyRows: ZoneKeyRepository,
    private readonly spelling: CaseFolding,
    private readonly options: DnssecOptions,
  ) {}

  /** The zone as it is now; `tx` must see one moment. */
  async present(tx: Transaction, row: ZoneSigningEntity): Promise<OrderedZone> {
    const zone = await this.served.zone(tx, row.zoneId);
    return this.of(tx, row, zone, this.served.recordSets(tx, zone), true);
  }

  /** The zone as it is published. */
  async published(tx: Transaction, row: ZoneSigningEntity): Promise<OrderedZone> {
    const zone = await this.served.zone(tx, row.zoneId);
    const { publishedVersion: version, publishedSerial } = zone;
    const serial = publishedSerial ?? zone.serial;
    const isFolded = await this.spelling.isFolded(tx, zone, row);
    if (version === null || version === zone.version)
      return this.of(tx, row, { ...zone, serial }, this.served.recordSets(tx, zone), isFolded);
    const past = await this.pointInTimeZones.find(tx, zone, { number: version, serial });
    const contents = this.served.recordSetsOf(tx, past.zone, past.records);
    return this.of(tx, row, { ...past.zone, serial }, contents, isFolded);
  }

  private async of(
    tx: Transaction,
    { denial, state }: ZoneSigningEntity,
    zone: ZoneEntity,
    contents: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
    isFolded: boolean,
  ): Promise<OrderedZone> {
    const { maxTtl } = this.options;
    const keys = await this.keyRows.ofZone(tx, zone.id);
    const soa = this.served.soaOf(zone);
    const made = apexSets({ zone, soa, keys, denial, state, maxTtl });
    const denialTtl = denialTtlOf(soa, Math.min(servedSoaTtl(zone), maxTtl));
    const apex = DomainName.parse(zone.name);
    const form = { apex, kind: chainKind(denial), denialTtl };
    return { zone, keys, form, names: namesIn(contents, apex, made, { maxTtl, isFolded }) };
  }
}

async function* namesIn(
  contents: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
  apex: DomainName,
  made: readonly WireSet[],
  form: SignedForm,
): AsyncGenerator<readonly NameSets[]> {
  let gathered: readonly WireSet[] = made;
  for await (const sets of contents) {
    const own = signable(sets, form).filter((set) => !isMade(set, apex));
    const names = [...byName([...gathered, ...own]).values()];
    // More of the last name may come in the next batch.
    gathered = names.pop() ?? [];
    if (names.length > 0) yield names;
  }
  const rest = [...byName(gathered).values()];
  if (rest.length > 0) yield rest;
}
