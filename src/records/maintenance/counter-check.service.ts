import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import {
  CounterCheckRepository,
  type CounterMismatch,
  type SetMismatch,
  type TenantMismatch,
  type ZoneMismatch,
} from './counter-check.repository.js';

/** Sets of one zone that are counted again in one transaction: so long does a change of others wait. */
const SETS_AT_ONCE = 200;

/**
 * Whether the counters that quotas and placement rely on are what counting says (`zonewright check`). It goes through
 * the database in portions and holds nothing between them, so that the service goes on beside it.
 */
@Injectable()
export class CounterCheckService {
  constructor(
    private readonly counters: CounterCheckRepository,
    private readonly zones: ZoneRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Looks, and with `isRepairing` counts again what is wrong, while nobody changes the zone or tenant that it is of. */
  async *check(isRepairing: boolean): AsyncGenerator<CounterMismatch> {
    for await (const sets of this.counters.wrongSets()) {
      if (isRepairing) await this.recountSets(sets);
      yield* sets.map(ofSet);
    }
    // A zone's counters come after its sets, which they count.
    for await (const zones of this.counters.wrongZones()) {
      if (isRepairing) for (const zone of zones) await this.recountZone(zone);
      yield* zones.flatMap(ofZone);
    }
    const tenants = await this.counters.wrongTenants();
    if (isRepairing) for (const tenant of tenants) await this.recountTenant(tenant);
    yield* tenants.map(ofTenant);
  }

  private async recountSets(sets: readonly SetMismatch[]): Promise<void> {
    for (const { zoneId, chunk } of chunksOf(sets))
      await this.holdingZone(zoneId, async (tx) => {
        for (const set of chunk) await this.counters.recountSet(tx, set);
      });
  }

  private async recountZone({ zoneId }: ZoneMismatch): Promise<void> {
    await this.holdingZone(zoneId, (tx) => this.counters.recountZone(tx, zoneId));
  }

  private async recountTenant({ tenantId }: TenantMismatch): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      // Makes the row if there is none, and holds it.
      await this.zones.countForTenant(tx, tenantId, 0);
      await this.counters.recountTenant(tx, tenantId);
    });
  }

  private async holdingZone(zoneId: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.unitOfWork.run(
      async (tx) => {
        await this.counters.holdZone(tx, zoneId);
        await work(tx);
      },
      { zoneId },
    );
  }
}

/** Sets in a row that are of one zone. */
function* chunksOf(sets: readonly SetMismatch[]): Generator<{ zoneId: string; chunk: SetMismatch[] }> {
  let chunk: SetMismatch[] = [];
  for (const [at, set] of sets.entries()) {
    chunk.push(set);
    if (chunk.length < SETS_AT_ONCE && sets[at + 1]?.zoneId === set.zoneId) continue;
    yield { zoneId: set.zoneId, chunk };
    chunk = [];
  }
}

function ofSet({ zoneId, ownerKey, type, stored, counted }: SetMismatch): CounterMismatch {
  return { counter: 'record_sets', key: `${zoneId} ${ownerKey} ${type}`, stored, counted };
}

function ofZone({ zoneId: key, records, recordSets }: ZoneMismatch): CounterMismatch[] {
  const all: CounterMismatch[] = [
    { counter: 'zones.record_count', key, ...records },
    { counter: 'zones.record_set_count', key, ...recordSets },
  ];
  return all.filter(({ stored, counted }) => stored !== counted);
}

function ofTenant({ tenantId: key, stored, counted }: TenantMismatch): CounterMismatch {
  return { counter: 'tenants.zone_count', key, stored, counted };
}
