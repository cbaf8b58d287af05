import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import { type TenantUse, type ZoneContentsUse, ZoneUse } from './zone-limits.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';
import type { Caller } from '../common/caller.js';
import { ZoneRepository } from './zone.repository.js';

/** A tenant that has, or had, zones. Its row lock orders creates under the zone quota. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('varchar', { length: 255, ...BYTEWISE })
  id!: string;

  @Column('integer', { name: 'zone_count' })
  zoneCount!: number;
}

const ZONES_OF = new Statement<{ readonly zones: number }>('SELECT zone_count AS zones FROM tenants WHERE id = ?');
const TENANTS = new Statement<TenantUse>(
  'SELECT id AS "tenantId", zone_count AS zones FROM tenants WHERE id > ? AND id >= ? ORDER BY id LIMIT ?',
);
const TENANTS_AT_A_TIME = 1000;

/** Each change of a zone count updates the stored counts. */
@Injectable()
export class ZoneCountRepository {
  constructor(private readonly reads: Reads) {}

  async ofTenant(tenantId: string): Promise<number> {
    return (await this.reads.run((tx) => ZONES_OF.first(tx, [tenantId])))?.zones ?? 0;
  }

  async ofAll(): Promise<number> {
    let total = 0;
    for (let after = ''; ;) {
      const tenants = await this.tenants(after, '', TENANTS_AT_A_TIME);
      total += tenants.reduce((sum, { zones }) => sum + zones, 0);
      const last = tenants.at(-1);
      if (last === undefined || tenants.length < TENANTS_AT_A_TIME) return total;
      after = last.tenantId;
      await nextTurn();
    }
  }

  tenants(after: string, from: string, limit: number): Promise<TenantUse[]> {
    return this.reads.run((tx) => TENANTS.rows(tx, [after, from, limit]));
  }
}

@Injectable()
export class StoredZoneUse extends ZoneUse {
  constructor(
    private readonly counts: ZoneCountRepository,
    private readonly zones: ZoneRepository,
  ) {
    super();
  }

  override zonesOf(tenantId: string): Promise<number> {
    return this.counts.ofTenant(tenantId);
  }

  override async ofZone(zoneId: string, caller: Caller): Promise<ZoneContentsUse> {
    const { id, name, tenantId, recordCount, recordSetCount } = await this.zones.find(zoneId, caller);
    return { id, name, tenantId, records: recordCount, recordSets: recordSetCount };
  }

  override tenants(after: string, from: string, limit: number): Promise<TenantUse[]> {
    return this.counts.tenants(after, from, limit);
  }
}
