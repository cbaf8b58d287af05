import type { IncomingHttpHeaders } from 'node:http';
import { Authenticator, type Identity } from '../../auth/authenticator.js';
import type { Caller } from '../../common/caller.js';
import type { Transaction } from '../../database/transaction.js';
import type { DomainName } from '../../dns/name.js';
import { scopeTransaction } from '../../plugins/calls/plugin-calls.js';
import { type GrowthCheck, RecordLimits } from '../../records/record-limits.js';
import { ExportLimits } from '../../zone-files/export/export-limits.js';
import { ImportLimits } from '../../zone-files/import/import-limits.js';
import { ChangeLimits, type ChangeOrigin } from '../../zones/changes/change-limits.js';
import { ZoneLimits } from '../../zones/zone-limits.js';
import { ZoneNameRules } from '../../zones/names/zone-name-rules.js';
import { ZonePublication } from '../../zones/zone-publication.js';
import type { Guard } from './guard.js';
import { GuardedChange } from './guarded-change.js';

/*
 * Each port as a plugin of another team fills it. Its answers are waited for no longer than the configuration says, and whom
 * it does not answer is refused, and nobody else (behaviour 16.7).
 */

export class GuardedAuthenticator extends Authenticator {
  constructor(
    private readonly filler: Authenticator,
    private readonly guard: Guard,
  ) {
    super();
  }

  override identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const { part, limits } = this.guard;
    return part.call(limits.request, null, () => this.filler.identify(headers));
  }

  override recordUse(identity: Identity, address: string): void {
    this.guard.part.during(() => this.filler.recordUse?.(identity, address));
  }
}

export class GuardedZoneLimits extends ZoneLimits {
  constructor(
    private readonly filler: ZoneLimits,
    private readonly guard: Guard,
  ) {
    super();
  }

  override assertZoneAllowed(tx: Transaction, tenantId: string, zoneCount: number): Promise<void> {
    const { part, limits } = this.guard;
    return scopeTransaction(tx, (scoped) =>
      part.call(limits.change, tenantId, () => this.filler.assertZoneAllowed(scoped, tenantId, zoneCount)),
    );
  }
}

export class GuardedRecordLimits extends RecordLimits {
  constructor(
    private readonly filler: RecordLimits,
    private readonly guard: Guard,
  ) {
    super();
  }

  override async checkFor(tx: Transaction, tenantId: string): Promise<GrowthCheck> {
    const { part, limits } = this.guard;
    const check = await scopeTransaction(tx, (scoped) =>
      part.call(limits.change, tenantId, () => this.filler.checkFor(scoped, tenantId)),
    );
    return (growth) => part.during(() => check(growth));
  }
}

export class GuardedExportLimits extends ExportLimits {
  constructor(
    private readonly filler: ExportLimits,
    private readonly guard: Guard,
  ) {
    super();
  }

  override assertExportAllowed(tenantId: string, recordCount: number): Promise<void> {
    const { part, limits } = this.guard;
    return part.call(limits.request, tenantId, () => this.filler.assertExportAllowed(tenantId, recordCount));
  }
}

export class GuardedImportLimits extends ImportLimits {
  constructor(
    private readonly filler: ImportLimits,
    private readonly guard: Guard,
  ) {
    super();
  }

  override maxRecords(tenantId: string): Promise<number | null> {
    const { part, limits } = this.guard;
    return part.call(limits.request, tenantId, () => this.filler.maxRecords(tenantId));
  }
}

export class GuardedChangeLimits extends ChangeLimits {
  constructor(
    private readonly filler: ChangeLimits,
    private readonly guard: Guard,
  ) {
    super();
  }

  override run<T>(
    tenantId: string,
    change: (weigh: (weight: number) => void) => Promise<T>,
    origin?: ChangeOrigin,
  ): Promise<T> {
    return new GuardedChange(this.filler, this.guard, { tenantId, origin }, change).run();
  }
}

export class GuardedZoneNameRules extends ZoneNameRules {
  constructor(
    private readonly filler: ZoneNameRules,
    private readonly guard: Guard,
  ) {
    super();
  }

  override assertAllowed(tx: Transaction, name: DomainName, caller: Caller): Promise<void> {
    const { part, limits } = this.guard;
    return scopeTransaction(tx, (scoped) =>
      part.call(limits.change, caller.tenantId, () => this.filler.assertAllowed(scoped, name, caller)),
    );
  }
}

export class GuardedZonePublication extends ZonePublication {
  constructor(
    private readonly filler: ZonePublication,
    private readonly guard: Guard,
  ) {
    super();
  }

  override statusSql(zoneId: string, serial: string): string {
    return this.guard.part.during(() => this.filler.statusSql(zoneId, serial));
  }

  override lacking(tx: Transaction, zoneId: string, serial: number): Promise<readonly string[]> {
    const { part, limits } = this.guard;
    return scopeTransaction(tx, (scoped) =>
      part.call(limits.change, null, () => this.filler.lacking(scoped, zoneId, serial)),
    );
  }

  override abandon(tx: Transaction, zoneId: string): Promise<void> {
    const { part, limits } = this.guard;
    return scopeTransaction(tx, (scoped) => part.call(limits.change, null, () => this.filler.abandon(scoped, zoneId)));
  }
}
