import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { DomainName } from '../dns/name.js';
import { assertApexNs } from './generation.js';
import { ZoneNameRules } from './names/zone-name-rules.js';
import { ZonePlacement } from './names/zone-placement.js';
import { AllowedPrimaries, assertPrimaries } from './primaries/primaries.js';
import type { ZoneCreation } from './zone-draft.js';
import { assertMailbox, assertTtlAllowed, type NewSecondaryZone, type NewZone } from './zone-fields.js';
import { ZoneLimits } from './zone-limits.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';

@Injectable()
export class ZoneAdmission {
  private readonly allowedMasters: AllowedPrimaries;

  constructor(
    private readonly zones: ZoneRepository,
    private readonly nameRules: ZoneNameRules,
    private readonly placement: ZonePlacement,
    private readonly limits: ZoneLimits,
    private readonly options: ZonesOptions,
  ) {
    this.allowedMasters = new AllowedPrimaries(options.masters);
  }

  assertFields(body: NewZone | NewSecondaryZone, caller: Caller): void {
    if (!('masters' in body)) {
      assertMailbox(body.email);
      if (body.apexNs) assertApexNs(body.apexNs);
      assertTtlAllowed(body.ttl, this.options.minTtl, caller);
      assertTtlAllowed(body.soaTtl, this.options.minTtl, caller);
      return;
    }
    assertPrimaries(body.masters, this.allowedMasters);
    if (this.options.takesSecondaryZones) return;
    const message = 'This service has no name servers for SECONDARY zones; create a PRIMARY zone.';
    throw ServiceError.ofField('invalid_object', 'type', 'enum', message);
  }

  /** Lock first, so that other processes cannot invalidate the checks. */
  lockNamespace(tx: Transaction): Promise<void> {
    return this.zones.lockNamespace(tx);
  }

  /** Call it under the namespace lock. */
  async assertAllowed(tx: Transaction, fresh: Readonly<ZoneEntity>, { name, caller }: ZoneCreation): Promise<void> {
    await this.assertNameAllowed(tx, name, caller);
    await this.assertCountAllowed(tx, caller.tenantId, (await this.zones.zoneCountOf(tx, caller.tenantId)) + 1);
    await this.zones.assertNew(tx, fresh);
  }

  /** `NeedsExclusiveLock` if `waits` forbids waiting for a parent zone. */
  async assertNameAllowed(tx: Transaction, name: DomainName, caller: Caller, waits = true): Promise<void> {
    await this.nameRules.assertAllowed(tx, name, caller);
    await this.placement.assertAllowed(tx, name, caller, { waits });
  }

  /** @param count includes the new zones */
  assertCountAllowed(tx: Transaction, tenantId: string, count: number): Promise<void> {
    return this.limits.assertZoneAllowed(tx, tenantId, count);
  }
}
