import { allOf } from '../../common/all-of.js';
import type { Caller } from '../../common/caller.js';
import type { Transaction } from '../../database/transaction.js';
import type { DomainName } from '../../dns/name.js';
import { type GrowthCheck, RecordLimits } from '../../records/record-limits.js';
import { ExportLimits } from '../../zone-files/export/export-limits.js';
import { ImportLimits } from '../../zone-files/import/import-limits.js';
import { ChangeLimits, type ChangeOrigin } from '../../zones/changes/change-limits.js';
import { ZoneLimits } from '../../zones/zone-limits.js';
import { ZoneNameRules } from '../../zones/names/zone-name-rules.js';

/*
 * Limits of the service and of a plugin, which both hold. The service's own are asked first: they know at once, and a plugin
 * need not be asked for what they refuse.
 */

export class JoinedZoneLimits extends ZoneLimits {
  constructor(
    private readonly ours: ZoneLimits,
    private readonly theirs: ZoneLimits,
  ) {
    super();
  }

  override async assertZoneAllowed(tx: Transaction, tenantId: string, zoneCount: number): Promise<void> {
    await this.ours.assertZoneAllowed(tx, tenantId, zoneCount);
    await this.theirs.assertZoneAllowed(tx, tenantId, zoneCount);
  }
}

export class JoinedRecordLimits extends RecordLimits {
  constructor(
    private readonly ours: RecordLimits,
    private readonly theirs: RecordLimits,
  ) {
    super();
  }

  override async checkFor(tx: Transaction, tenantId: string): Promise<GrowthCheck> {
    const [ours, theirs] = await allOf([this.ours.checkFor(tx, tenantId), this.theirs.checkFor(tx, tenantId)]);
    return (growth) => {
      ours(growth);
      theirs(growth);
    };
  }
}

export class JoinedExportLimits extends ExportLimits {
  constructor(
    private readonly ours: ExportLimits,
    private readonly theirs: ExportLimits,
  ) {
    super();
  }

  override async assertExportAllowed(tenantId: string, recordCount: number): Promise<void> {
    await this.ours.assertExportAllowed(tenantId, recordCount);
    await this.theirs.assertExportAllowed(tenantId, recordCount);
  }
}

export class JoinedImportLimits extends ImportLimits {
  constructor(
    private readonly ours: ImportLimits,
    private readonly theirs: ImportLimits,
  ) {
    super();
  }

  override async maxRecords(tenantId: string): Promise<number | null> {
    const [ours, theirs] = [await this.ours.maxRecords(tenantId), await this.theirs.maxRecords(tenantId)];
    if (ours === null || theirs === null) return ours ?? theirs;
    return Math.min(ours, theirs);
  }
}

export class JoinedChangeLimits extends ChangeLimits {
  constructor(
    private readonly ours: ChangeLimits,
    private readonly theirs: ChangeLimits,
  ) {
    super();
  }

  override run<T>(
    tenantId: string,
    change: (weigh: (weight: number) => void) => Promise<T>,
    origin?: ChangeOrigin,
  ): Promise<T> {
    const both = (weighOurs: (weight: number) => void): Promise<T> =>
      this.theirs.run(
        tenantId,
        (weighTheirs) =>
          change((weight) => {
            weighOurs(weight);
            weighTheirs(weight);
          }),
        origin,
      );
    return this.ours.run(tenantId, both, origin);
  }
}

export class JoinedZoneNameRules extends ZoneNameRules {
  constructor(
    private readonly ours: ZoneNameRules,
    private readonly theirs: ZoneNameRules,
  ) {
    super();
  }

  override async assertAllowed(tx: Transaction, name: DomainName, caller: Caller): Promise<void> {
    await this.ours.assertAllowed(tx, name, caller);
    await this.theirs.assertAllowed(tx, name, caller);
  }
}
