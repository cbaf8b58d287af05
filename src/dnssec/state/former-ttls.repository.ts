import { Injectable } from '@nestjs/common';
import { DAY, type Instant, SECOND } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { journalEnd } from '../../zones/journal/journal-end.js';
import { readStep } from '../../zones/journal/journal-format.js';
import type { ZoneSnapshot } from '../../plugins/change-listener.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** RFC 8767 §4: caches discard data after a week, whatever its TTL. */
const MAX_CACHED = 7 * DAY;
const PAGE_SIZE = 500;

interface StepBack {
  readonly number: number;
  readonly at: Instant;
  readonly before: string | null;
}

const BACKWARDS = new Statement<StepBack>(
  'SELECT number, at, before FROM journal WHERE zone_id = ? AND number < ? ORDER BY number DESC LIMIT ?',
);

/** Reads former TTLs from the journal: an unsigned zone stores them nowhere else. */
@Injectable()
export class FormerTtlsRepository {
  /** When caches have expired all changed and deleted records; 0: none. */
  async until(tx: Transaction, { id, ttl }: Pick<ZoneEntity, 'id' | 'ttl'>, now: Instant): Promise<Instant> {
    let until = 0;
    let ttlOfZone = ttl;
    for await (const { at, before } of this.stepsSince(tx, id, now - MAX_CACHED)) {
      const former = readStep({ before, after: null }).before;
      if (former === null) continue;
      // Before this step, records without a TTL had this one.
      if ('serial' in former) ttlOfZone = former.ttl;
      const longest = 'serial' in former ? longestOfZone(former) : (former.ttl ?? ttlOfZone);
      until = Math.max(until, at + Math.min(longest * SECOND, MAX_CACHED));
    }
    return until;
  }

  /** Latest first. */
  private async *stepsSince(tx: Transaction, zoneId: string, since: Instant): AsyncGenerator<StepBack> {
    for (let below = (await journalEnd(tx, zoneId)) + 1; ;) {
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

/** The longest TTL of generated and negative answers, in seconds. */
function longestOfZone({ ttl, generation }: ZoneSnapshot): number {
  const { negativeTtl = 0, soaTtl = 0, apexNs } = generation ?? {};
  return Math.max(ttl, soaTtl, negativeTtl, apexNs?.ttl ?? 0);
}
