import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock, type Instant, toUnixSeconds } from '../common/clock.js';
import { labelsColumn } from '../common/labels.js';
import { timeOrderedUuid } from '../common/uuid.js';
import type { DomainName } from '../dns/name.js';
import { apexNsColumn } from './generation.js';
import { InboundTransferRepository } from './primaries/inbound-transfer.repository.js';
import { LastSerialRepository } from './serials/last-serial.repository.js';
import { serialAt } from './serials/serial.js';
import { snapshotOf } from './zone-snapshot.js';
import { ZoneChange } from './changes/zone-change.js';
import type { Transaction } from '../database/transaction.js';
import { type NewSecondaryZone, type NewZone, readZoneName } from './zone-fields.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';

export interface ZoneCreation {
  readonly name: DomainName;
  readonly caller: Caller;
  readonly madeAt: Instant;
}

@Injectable()
export class ZoneDrafter {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly lastSerials: LastSerialRepository,
    private readonly transfersIn: InboundTransferRepository,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
  ) {}

  now(): Instant {
    return this.clock.now();
  }

  async insert(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    await this.zones.insert(tx, zone);
    await this.zones.countForTenant(tx, zone.tenantId, 1);
    if (zone.type === 'SECONDARY') await this.transfersIn.askAt(tx, zone.id, zone.createdAt);
  }

  /** Not stored. The creation time is later than that of all zones. */
  async draft(
    tx: Transaction,
    body: NewZone | NewSecondaryZone,
    { name, caller, madeAt }: ZoneCreation,
  ): Promise<ZoneEntity> {
    // Lists are in the order of creation, even if the clock went back.
    const createdAt = Math.max(madeAt, (await this.zones.latestCreation(tx)) + 1);
    return draftZone(body, { name, caller, madeAt: this.clock.now() }, createdAt, this.options);
  }

  async remove(tx: Transaction, { id, nameKey, tenantId }: Readonly<ZoneEntity>, serial: number): Promise<void> {
    await this.lastSerials.remember(tx, nameKey, serial);
    await this.transfersIn.delete(tx, id);
    await this.zones.delete(tx, id);
    await this.zones.countForTenant(tx, tenantId, -1);
  }

  /** The last serial of the name, or a new one. */
  async serialOf(tx: Transaction, fresh: Readonly<ZoneEntity>): Promise<number> {
    const last = fresh.type === 'PRIMARY' ? await this.lastSerials.of(tx, fresh.nameKey) : null;
    return last ?? fresh.serial;
  }

  /** Starts above the last serial of the name (behaviour 12.3). */
  async begin(tx: Transaction, fresh: ZoneEntity, caller: Caller): Promise<ZoneChange> {
    const serial = await this.serialOf(tx, fresh);
    const change = new ZoneChange({ ...fresh, serial }, caller, this.clock.now());
    change.record('zone.create', { before: null, after: snapshotOf({ ...fresh, serial: change.serial }) });
    return change;
  }

  drafted(body: NewZone, caller: Caller): ZoneEntity {
    const madeAt = this.clock.now();
    return draftZone(body, { name: readZoneName(body.name), caller, madeAt }, madeAt, this.options);
  }

  /** Fingerprint of the zones below, and of the last serial of the name. */
  async surroundingsOf(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<string> {
    return `${await this.zones.stateBelow(tx, zone.nameKey)} ${await this.serialOf(tx, zone)}`;
  }
}

/** Serial of a secondary zone before its first transfer. */
const FIRST_SERIAL = 1;

export function draftZone(
  body: NewZone | NewSecondaryZone,
  { name, caller, madeAt }: ZoneCreation,
  createdAt: Instant,
  options: ZonesOptions,
): ZoneEntity {
  return {
    id: timeOrderedUuid(createdAt),
    tenantId: caller.tenantId,
    name: body.name,
    nameKey: name.key,
    description: body.description ?? null,
    ...('masters' in body ? secondaryFields(body, options) : primaryFields(body, madeAt, options)),
    attributes: attributesColumn(body.attributes ?? {}),
    labels: labelsColumn(body.labels ?? {}),
    version: 0,
    recordCount: 0,
    recordSetCount: 0,
    generation: JSON.stringify(options.generation),
    keptFields: body.keptFields === undefined ? null : JSON.stringify(body.keptFields),
    transferredAt: null,
    publishedVersion: null,
    publishedSerial: null,
    changedAt: createdAt,
    createdAt,
    updatedAt: null,
  };
}

export function attributesColumn(attributes: NonNullable<NewZone['attributes']>): string | null {
  return Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes);
}

function primaryFields(
  { email, soaTtl = null, apexNs, ...body }: NewZone,
  madeAt: Instant,
  { defaultTtl }: ZonesOptions,
) {
  const { ttl = defaultTtl } = body;
  // One second back, so that the create gets the present time.
  const serial = serialAt(toUnixSeconds(madeAt) - 1);
  return {
    type: 'PRIMARY',
    masters: null,
    email,
    ttl,
    soaTtl: soaTtl === ttl ? null : soaTtl,
    apexNs: apexNsColumn(apexNs ?? null),
    serial,
  } as const;
}

function secondaryFields({ masters }: NewSecondaryZone, { defaultTtl, generation }: ZonesOptions) {
  const email = `hostmaster@${(generation.nameServers[0] ?? 'localhost.').slice(0, -1)}`;
  return {
    type: 'SECONDARY',
    masters: JSON.stringify(masters),
    email,
    ttl: defaultTtl,
    soaTtl: null,
    apexNs: null,
    serial: FIRST_SERIAL,
  } as const;
}
