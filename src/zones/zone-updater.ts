import { Injectable } from '@nestjs/common';
import { assertMayNameMasters } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import { labelsColumn } from '../common/labels.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneChange } from './changes/zone-change.js';
import { ZoneChanges } from './changes/zone-changes.js';
import { apexNsColumn, assertApexNs, readApexNs, renamedApexNs } from './generation.js';
import { InboundTransferRepository } from './primaries/inbound-transfer.repository.js';
import { AllowedPrimaries, assertPrimaries } from './primaries/primaries.js';
import { attributesColumn } from './zone-draft.js';
import { assertMailbox, assertTtlAllowed, keptColumn, type ZoneUpdate } from './zone-fields.js';
import { snapshotOf } from './zone-snapshot.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';

/** Throws unless the zone meets the caller's condition. */
export type ZoneExpectation = (zone: Readonly<ZoneEntity>) => void;

@Injectable()
export class ZoneUpdater {
  private readonly allowedMasters: AllowedPrimaries;

  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly transfersIn: InboundTransferRepository,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
  ) {
    this.allowedMasters = new AllowedPrimaries(options.masters);
  }

  /** @param expect checked inside the change */
  update(id: string, body: ZoneUpdate, caller: Caller, expect?: ZoneExpectation): Promise<ZoneEntity> {
    const amend = async (change: ZoneChange, tx: Transaction): Promise<ZoneEntity> => {
      const before = change.zone;
      expect?.(before);
      assertSameName(before, body.name);
      assertFieldsOfType(before, body);
      this.assertNewValues(before, body, caller);
      const fields = updatedFields(before, body);
      // Behaviour 1.15.
      if (isSame(before, fields) && (body.setsUpdatedAt !== true || before.updatedAt !== null)) return before;
      if (fields.masters !== before.masters) assertMayNameMasters(caller, before);
      const isChanged = !isSame(before, { ...fields, keptFields: before.keptFields });
      // Behaviour 7.7: labels are not published.
      if (isSame(before, { ...fields, keptFields: before.keptFields, labels: before.labels })) change.keepSerial();
      const serial = isChanged ? change.serial : before.serial;
      const after: ZoneEntity = { ...before, ...fields, serial, updatedAt: change.nextInstant() };
      await this.zones.update(tx, after);
      if (after.masters !== before.masters) await this.transfersIn.askAt(tx, id, this.clock.now());
      if (isChanged) change.record('zone.update', { before: snapshotOf(before), after: snapshotOf(after) });
      const { version, changedAt } = change.zoneAfter;
      return { ...after, version, changedAt };
    };
    return this.changes.withZoneLock(id, caller, amend, { does: 'update' });
  }

  /** Unchanged values pass, even if another caller set them or the rules have changed. */
  private assertNewValues(before: ZoneEntity, { email, masters, apexNs, ttl }: ZoneUpdate, caller: Caller): void {
    if (email !== undefined && email !== before.email) assertMailbox(email);
    if (masters !== undefined && JSON.stringify(masters) !== (before.masters ?? '[]'))
      assertPrimaries(masters, this.allowedMasters);
    if (apexNs) assertApexNs(apexNs);
    if (ttl !== before.ttl) assertTtlAllowed(ttl, this.options.minTtl, caller);
  }

  /** Schedules an SOA query. Throws `change_not_allowed` for a primary zone. */
  askMasters(id: string, caller: Caller): Promise<void> {
    return this.changes.withZoneLock(id, caller, async ({ zone }, tx) => {
      if (zone.type === 'PRIMARY')
        throw new ServiceError('change_not_allowed', `${zone.name} is a PRIMARY zone and has no masters.`);
      await this.transfersIn.askAt(tx, id, this.clock.now());
    });
  }
}

/** Accepts unchanged fields of the other zone type. */
function assertFieldsOfType(before: ZoneEntity, { email, ttl, masters, apexNs }: ZoneUpdate): void {
  const isPrimary = before.type === 'PRIMARY';
  const foreign = [
    // Version 2 returns an empty list for a primary zone.
    ...(isPrimary && masters !== undefined && masters.length > 0 ? ['masters'] : []),
    ...(!isPrimary && email !== undefined && email !== before.email ? ['email'] : []),
    ...(!isPrimary && apexNs ? ['name_servers'] : []),
    ...(!isPrimary && ttl !== undefined && ttl !== before.ttl ? ['ttl'] : []),
  ];
  if (foreign.length === 0) return;
  const faults = foreign.map((path) => ({
    path,
    validator: 'additionalProperties' as const,
    message: `${path} cannot be set for a ${before.type} zone.`,
  }));
  throw ServiceError.ofFields('invalid_object', faults);
}

type UpdatedFields = Pick<
  ZoneEntity,
  'email' | 'ttl' | 'description' | 'masters' | 'attributes' | 'labels' | 'apexNs' | 'keptFields'
>;

function updatedFields(before: ZoneEntity, body: ZoneUpdate): UpdatedFields {
  const { email = before.email, ttl = before.ttl, description = before.description } = body;
  const isSecondary = before.type === 'SECONDARY';
  const masters = body.masters === undefined || !isSecondary ? before.masters : JSON.stringify(body.masters);
  const attributes = body.attributes === undefined ? before.attributes : attributesColumn(body.attributes);
  const labels = body.labels === undefined ? before.labels : labelsColumn(body.labels);
  const apexNs =
    body.apexNs === undefined ? before.apexNs : apexNsColumn(renamedApexNs(readApexNs(before), body.apexNs));
  const keptFields = body.keptFields === undefined ? before.keptFields : keptColumn(before, body.keptFields);
  return { email, ttl, description, masters, attributes, labels, apexNs, keptFields };
}

function isSame(before: ZoneEntity, fields: UpdatedFields): boolean {
  return Object.entries(fields).every(([field, value]) => before[field as keyof UpdatedFields] === value);
}

/** Accepts the unchanged name in any case. */
function assertSameName(zone: ZoneEntity, name: string | undefined): void {
  if (name === undefined || name.toLowerCase() === zone.name.toLowerCase()) return;
  throw ServiceError.ofField(
    'change_not_allowed',
    'name',
    'enum',
    `The name cannot change; create ${name} instead.`,
    because('name_is_fixed', { name }),
  );
}
