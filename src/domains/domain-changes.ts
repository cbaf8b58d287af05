import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DomainChange } from './domain-change.js';
import { DomainRepository } from './domain.repository.js';

/** The one way in which a domain or anything in it changes: its row first, everything else inside. */
@Injectable()
export class DomainChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Runs `work` while the domain is held, and writes the domain's row when something happened; all of it is committed
   * or nothing.
   * @throws ServiceError `domain_not_found`, `unavailable`, and what `work` throws
   */
  in<T>(
    domainId: string,
    caller: Caller,
    work: (change: DomainChange) => Promise<T>,
    { isLong = false } = {},
  ): Promise<T> {
    const scope = { domainId, isLong };
    return this.unitOfWork.run(async (tx) => {
      const domain = await this.domains.lock(tx, domainId, caller);
      const change = new DomainChange(tx, domain, caller, this.clock.now());
      const result = await work(change);
      const closed = change.close();
      if (closed !== null) await this.domains.closeChange(tx, closed);
      return result;
    }, scope);
  }
}
