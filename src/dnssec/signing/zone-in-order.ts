import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { isCaseFolded } from '../../dns/dnssec/canonical-rdata.js';
import type { NameSets, ZoneForm } from '../../dns/dnssec/whole-zone.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
import type { RecordSet } from '../../dns/master-file/master-file-writer.js';
import type { DomainName } from '../../dns/name.js';
import { PointInTimeZones } from '../../history/point-in-time-zones.js';
import type { SignedForm } from '../../publishing/transfers/signed-zones.js';
import { type OmittedSet, ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { DnssecOptions } from '../dnssec.options.js';
import type { PreparedSignatures } from '../keys/key-responses.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { SigningContext } from '../signing-context.js';
import { digestOf, isMade } from '../state/signed-set-form.js';
import { type SignedDigest, SignedSetRepository } from '../state/signed-set.repository.js';
import type { ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { byName, type PresentSets, PresentSetsReader, signable } from './present-sets.js';

export interface OrderedZone {
  readonly zone: ZoneEntity;
  readonly keys: readonly ZoneKeyEntity[];
  /** Signatures of offline keys; `null`: none is offline. */
  readonly prepared: PreparedSignatures | null;
  readonly form: ZoneForm;
  /** Names in canonical order with all their sets, the apex with its generated sets first. */
  readonly names: AsyncIterable<readonly NameSets[]>;
}

/** Finds zones that an earlier release signed with SVCB and HTTPS targets in the case of the user. */
@Injectable()
export class CaseFolding {
  constructor(
    private readonly sets: SignedSetRepository,
    private readonly presentSets: PresentSetsReader,
  ) {}

  /** Whether all signed targets are in lower case; `false` when a set changed since, which hides its case. */
  async isFolded(tx: Transaction, zone: ZoneEntity, row: ZoneSigningEntity): Promise<boolean> {
    if (row.foldedStep === row.step) return true;
    const present = this.presentSets.of(tx, zone, []);
    for await (const page of this.sets.digests(tx, row))
      if (!(await areSigned(page.filter(isCaseFolded), present))) return false;
    return true;
  }
}

async function areSigned(signed: readonly SignedDigest[], present: PresentSets): Promise<boolean> {
  if (signed.length === 0) return true;
  const names = await present.setsAt([...new Set(signed.map(({ ownerKey }) => ownerKey))]);
  return signed.every(({ ownerKey, type, digest }) => {
    const set = names.get(ownerKey)?.find((one) => one.type === type);
    return set !== undefined && digestOf(set) === digest;
  });
}

@Injectable()
export class ZoneInOrder {
  constructor(
    private readonly served: ServedZone,
    private readonly pointInTimeZones: PointInTimeZones,
    private readonly context: SigningContext,
    private readonly presentSets: PresentSetsReader,
    private readonly caseFolding: CaseFolding,
    private readonly options: DnssecOptions,
  ) {}

  /** @param tx a snapshot */
  async present(tx: Transaction, row: ZoneSigningEntity): Promise<OrderedZone> {
    const zone = await this.served.zone(tx, row.zoneId);
    return this.of(tx, row, zone, this.served.recordSets(tx, zone), true);
  }

  async published(tx: Transaction, row: ZoneSigningEntity): Promise<OrderedZone> {
    const zone = await this.served.zone(tx, row.zoneId);
    const { publishedVersion: version, publishedSerial } = zone;
    const serial = publishedSerial ?? zone.serial;
    const isFolded = await this.caseFolding.isFolded(tx, zone, row);
    if (version === null || version === zone.version)
      return this.of(tx, row, { ...zone, serial }, this.served.recordSets(tx, zone), isFolded);
    const past = await this.pointInTimeZones.find(tx, zone, { number: version, serial });
    const contents = this.served.recordSetsOf(tx, past.zone, past.records);
    return this.of(tx, row, { ...past.zone, serial }, contents, isFolded);
  }

  private async of(
    tx: Transaction,
    row: ZoneSigningEntity,
    zone: ZoneEntity,
    contents: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
    isFolded: boolean,
  ): Promise<OrderedZone> {
    const keys = await this.context.keys.ofZone(tx, zone.id);
    const prepared = await this.context.responses.of(tx, row);
    const { generated, form } = this.presentSets.apexOf(zone, row, keys, prepared);
    const signedForm = { maxTtl: this.options.maxTtl, isFolded };
    return { zone, keys, prepared, form, names: namesIn(contents, form.apex, generated, signedForm) };
  }
}

async function* namesIn(
  contents: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
  apex: DomainName,
  generated: readonly WireSet[],
  form: SignedForm,
): AsyncGenerator<readonly NameSets[]> {
  let gathered: readonly WireSet[] = generated;
  for await (const sets of contents) {
    const own = signable(sets, form).filter((set) => !isMade(set, apex));
    const names = [...byName([...gathered, ...own]).values()];
    // The next batch may have more sets of the last name.
    gathered = names.pop() ?? [];
    if (names.length > 0) yield names;
  }
  const rest = [...byName(gathered).values()];
  if (rest.length > 0) yield rest;
}
