import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { DomainChanges } from './domain-changes.js';
import { DomainRepository } from './domain.repository.js';
import { toDomainDto } from './dto/domain.dto.js';
import { JournalRepository } from './journal.repository.js';

/** So many domains are raised together, in few commits. */
const PAGE = 128;

/**
 * After an older database was restored its serials lie behind those that were handed out, and secondaries would ignore
 * every change. Raising them is a change of each domain like any other (ADR 15).
 */
@Injectable()
export class SerialRaisingService {
  constructor(
    private readonly domains: DomainRepository,
    private readonly journal: JournalRepository,
    private readonly changes: DomainChanges,
  ) {}

  /** Raises every domain's serial to the time or the next one, and by `margin` more. Returns how many there are. */
  async raiseAll(margin: number, caller: Caller): Promise<number> {
    let raised = 0;
    let marker = '';
    for (;;) {
      const page = await this.domains.page(caller, marker, PAGE);
      const answers = await Promise.all(page.map(({ id }) => this.raise(id, margin, caller)));
      raised += answers.filter((isRaised) => isRaised).length;
      const last = page.at(-1);
      if (last === undefined) return raised;
      marker = last.id;
    }
  }

  /** Whether the domain was still there. */
  private async raise(id: string, margin: number, caller: Caller): Promise<boolean> {
    try {
      await this.changes.in(id, caller, async (change) => {
        change.raiseSerial(margin);
        const before = toDomainDto(change.domain);
        await this.journal.append(change, 'domain.serial', before, { ...before, serial: change.serial });
      });
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'domain_not_found') return false;
      throw error;
    }
  }
}
