import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { LONGEST_HOLD } from '../../zones/journal/history-retention.repository.js';
import { ListenerRepository } from './listener.repository.js';
import { CreatedListeners } from './listener-backlog.js';
import { type PositionKey, ListenerPositionRepository } from './listener-position.repository.js';

const PAGE_SIZE = 2000;
const BEGINNING: PositionKey = { listener: '', zoneId: '' };

/** Records running listeners, and deletes positions of removed listeners and of zones without history. */
@Injectable()
export class PositionsCleanup {
  private readonly log = new Logger('Zonewright');
  private marker = BEGINNING;

  constructor(
    private readonly made: CreatedListeners,
    private readonly listeners: ListenerRepository,
    private readonly positions: ListenerPositionRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns whether more may remain. */
  async removeSome(tx: Transaction): Promise<boolean> {
    const now = this.clock.now();
    for (const { name } of this.made.all) await this.listeners.seeAgain(tx, name, now);
    for (const { name, seenAt } of await this.listeners.allIn(tx)) {
      if (seenAt > now - LONGEST_HOLD) continue;
      if (await this.listeners.forget(tx, name)) return true;
      this.log.warn(`Change listener ${name} is no longer installed. Removed its positions.`);
    }
    const page = await this.positions.page(tx, this.marker, PAGE_SIZE);
    const orphans = page.filter(({ isOrphan }) => isOrphan === 1);
    await this.positions.delete(tx, orphans);
    this.marker = page.length < PAGE_SIZE ? BEGINNING : (page.at(-1) ?? BEGINNING);
    return this.marker !== BEGINNING;
  }
}
