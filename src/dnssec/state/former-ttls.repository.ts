import { Injectable } from '@nestjs/common';
import { DAY, type Instant, SECOND } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { readStep, type ZoneSnapshot } from '../../zones/journal/journal-format.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** RFC 8767 §4: caches keep nothing for longer than a week, whatever its ttl. */
const LONGEST_KEPT = 7 * DAY;
const PAGE_SIZE = 500;

interface StepBack {
  readonly number: number;
  readonly at: Instant;
  readonly before: string | null;
}

const BACKWARDS = new Statement<StepBack>(
  'SELECT number, at, before FROM journal WHERE zone_id = ? AND number < ? ORDER BY number DESC LIMIT ?',
);

/** The ttls of what zones had lately, as the journal has them: before a zone is signed nobody else writes these down. */
@Injectable()
export class FormerTtlsRepository {
  /** Until when caches may have contents that have been changed or deleted; 0: there are none such. */
  async until(tx: Transaction, { id, ttl }: Pick<ZoneEntity, 'id' | 'ttl'>, now: Instant): Promise<Instant> {
    let until = 0;
    let ttlOfZone = ttl;
    for await (const { at, before } of this.stepsSince(tx, id, now - LONGEST_KEPT)) {
      const former = readStep({ before, after: null }).before;
      if (former === null) continue;
      // Of the zone: records without a ttl of their own had this one until then.
      if ('serial' in former) ttlOfZone = former.ttl;
      const longest = 'serial' in former ? longestOfZone(former) : (former.ttl ?? ttlOfZone);
      until = Math.max(until, at + Math.min(longest * SECOND, LONGEST_KEPT));
    }
    return until;
  }

  /** From the latest on, in portions. */
  private async *stepsSince(tx: Transaction, zoneId: string, since: Instant): AsyncGenerator<StepBack> {
    for (let below = Number.MAX_SAFE_INTEGER; ;) {
      const steps = await BACKWARDS.rows(tx, [zoneId, below, PAGE_SIZE]);
      for (const step of steps) {
        if (step.at < since) return;
        yield step;
      }
      const last = steps.at(-1);
      if (last === undefined || steps.length < PAGE_SIZE) return;
      below = last.number;
      await nextTurn();
    }
  }
}

/** In seconds, of what is generated for a zone, and of the answer that a name is not there. */
function longestOfZone({ ttl, generation }: ZoneSnapshot): number {
  const { negativeTtl = 0, soaTtl = 0, apexNs } = generation ?? {};
  return Math.max(ttl, soaTtl, negativeTtl, apexNs?.ttl ?? 0);
}
