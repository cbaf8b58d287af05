import type { ApexNs } from '../plugins/change-listener.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError, readField } from '../common/service-error.js';
import type { ZoneEntity } from './zone.entity.js';
import { mailboxFault } from '../dns/mailbox.js';
import { mayGoBelowMinimumTtl } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Labels } from '../common/labels.js';
import { type DomainName, NameError } from '../dns/name.js';
import { parseZoneName } from '../dns/owner-name.js';

/** A new primary zone. */
export interface NewZone {
  /** Absolute name. */
  readonly name: string;
  /** Mailbox of the zone administrator. */
  readonly email: string;
  /** Seconds; absent: the configured default. */
  readonly ttl?: number;
  /** Ttl of the SOA, in seconds; `null` and absent: that of the zone. */
  readonly soaTtl?: number | null;
  readonly description?: string | null;
  readonly attributes?: ZoneAttributes;
  readonly labels?: Labels;
  /** `null` and absent: the service's name servers. */
  readonly apexNs?: ApexNs | null;
  /** @internal */
  readonly keptFields?: StoredZoneFields;
}

/** A new secondary zone. */
export interface NewSecondaryZone {
  /** Absolute name. */
  readonly name: string;
  /** At least one: `192.0.2.53`, `192.0.2.53:5353`, `[2001:db8::53]:53`. */
  readonly masters: readonly string[];
  readonly description?: string | null;
  readonly attributes?: ZoneAttributes;
  readonly labels?: Labels;
  /** @internal */
  readonly keptFields?: StoredZoneFields;
}

/** Fields that an interface stores for its clients. */
export type StoredZoneFields = object;

/** Free attributes, which the service does not interpret. */
export type ZoneAttributes = Readonly<Record<string, string>>;

/** An update of a zone; absent fields keep their value. */
export interface ZoneUpdate {
  /** The present name: zones cannot be renamed. */
  readonly name?: string;
  /** Only of a primary zone. */
  readonly email?: string;
  /** Only of a primary zone. */
  readonly ttl?: number;
  readonly description?: string | null;
  /** Only of a secondary zone. */
  readonly masters?: readonly string[];
  readonly attributes?: ZoneAttributes;
  /** All labels. */
  readonly labels?: Labels;
  /** Only of a primary zone; `null`: the service's name servers. */
  readonly apexNs?: ApexNs | null;
  /** Sets a missing `updatedAt` even if nothing changes, because version 1 returns it (behaviour 6.2). @internal */
  readonly setsUpdatedAt?: boolean;
  /** Changes the fields of the interface, which are not served and not in the history. @internal */
  readonly keptFields?: (before: StoredZoneFields) => StoredZoneFields;
}

export function assertHasOwnRecords({ name, type }: Pick<ZoneEntity, 'name' | 'type'>): void {
  if (type === 'PRIMARY') return;
  const message = `${name} is a secondary zone; change its records on its masters.`;
  throw ServiceError.because('secondary_zone', because('secondary_domain', { domain: name }), message);
}

export function mastersOf({ masters }: Pick<ZoneEntity, 'masters'>): readonly string[] {
  // Only `ZonesService` writes the column.
  return masters === null ? [] : (JSON.parse(masters) as string[]);
}

export function attributesOf({ attributes }: Pick<ZoneEntity, 'attributes'>): Readonly<Record<string, string>> {
  // Only `ZonesService` writes the column.
  return attributes === null ? {} : (JSON.parse(attributes) as Record<string, string>);
}

/** Validates mailboxes for all interfaces (behaviour 7.1). */
export function assertMailbox(email: string): void {
  const fault = mailboxFault(email);
  if (fault !== null) throw ServiceError.ofField('invalid_object', 'email', 'format', `email: ${fault}.`);
}

/** Admins may go below the minimum. */
export function assertTtlAllowed(ttl: number | null | undefined, minTtl: number | null, caller: Caller): void {
  if (ttl === null || ttl === undefined || minTtl === null || ttl >= minTtl || mayGoBelowMinimumTtl(caller)) return;
  throw ServiceError.ofField(
    'invalid_ttl',
    'ttl',
    'minimum',
    `The lowest ttl here is ${minTtl} seconds.`,
    because('minimum', { minimum: minTtl }),
  );
}

export function readZoneName(text: string): DomainName {
  return readField('name', NameError, () => parseZoneName(text));
}

export function readKept({ keptFields }: Pick<ZoneEntity, 'keptFields'>): StoredZoneFields {
  // Only services of this folder write the column.
  return keptFields === null ? {} : (JSON.parse(keptFields) as StoredZoneFields);
}

/** The column after `change`, or the same text if nothing has changed. */
export function keptColumn(
  before: Pick<ZoneEntity, 'keptFields'>,
  change: (before: StoredZoneFields) => StoredZoneFields,
): string | null {
  const kept = readKept(before);
  const after = change(kept);
  return after === kept ? before.keptFields : JSON.stringify(after);
}
