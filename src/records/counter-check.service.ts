import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CounterCheckRepository, type CounterMismatch } from './counter-check.repository.js';

/** Whether the counters that quotas and placement rely on are what counting says (`zonewright check`). */
@Injectable()
export class CounterCheckService {
  constructor(
    private readonly counters: CounterCheckRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Looks, and with `isRepairing` mends in the same transaction, so that no change comes between. */
  check(isRepairing: boolean): Promise<CounterMismatch[]> {
    return this.unitOfWork.run(async (tx) => {
      if (isRepairing) await this.counters.holdChanges(tx);
      const mismatches = await this.counters.findMismatches(tx);
      if (isRepairing && mismatches.length > 0) await this.counters.repair(tx);
      return mismatches;
    });
  }
}
