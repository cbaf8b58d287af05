import type { Caller } from '../common/caller.js';
import { type Instant, toUnixSeconds } from '../common/clock.js';
import { timeOrderedUuid } from '../common/uuid.js';
import type { DomainName } from '../dns/name.js';
import { apexNsColumn } from './apex-ns.js';
import { serialAt } from './serials/serial.js';
import type { NewSecondaryZone, NewZone } from './zone-fields.js';
import type { ZoneEntity } from './zone.entity.js';
import type { ZonesOptions } from './zones.options.js';

export interface ZoneCreation {
  readonly name: DomainName;
  readonly caller: Caller;
  readonly madeAt: Instant;
}

/** Of a secondary zone that nothing has been transferred of. */
const FIRST_SERIAL = 1;

/** A new zone, before anything has happened to it. */
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

/** How `attributes` are stored. */
export function attributesColumn(attributes: NonNullable<NewZone['attributes']>): string | null {
  return Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes);
}

function primaryFields(
  { email, soaTtl = null, apexNs, ...body }: NewZone,
  madeAt: Instant,
  { defaultTtl }: ZonesOptions,
) {
  const { ttl = defaultTtl } = body;
  // One behind the time, which making the zone then gives it.
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
