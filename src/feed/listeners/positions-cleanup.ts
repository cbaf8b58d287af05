import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Scheduler } from '../../background/scheduler.js';
import { HOUR } from '../../background/background-task.js';
import { inBatches } from '../../background/in-batches.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { LONGEST_HOLD } from '../../zones/journal/history-holds.js';
import { ListenerRepository } from './listener.repository.js';
import { CreatedListeners } from './created-listeners.js';
import { type PositionKey, ListenerPositionRepository } from './listener-position.repository.js';

const PAGE_SIZE = 2000;
const BEGINNING: PositionKey = { listener: '', zoneId: '' };

/** Notes which listeners are there, and removes the positions of those that have gone, and of zones that have left nothing. */
@Injectable()
export class PositionsCleanup {
  private readonly log = new Logger('Zonewright');
  private marker = BEGINNING;

  constructor(
    private readonly made: CreatedListeners,
    private readonly listeners: ListenerRepository,
    private readonly positions: ListenerPositionRepository,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
    background: Scheduler,
  ) {
    background.add({
      name: 'listeners.gone',
      every: HOUR,
      failureMessages: {
        failing: 'Positions of change listeners that have gone cannot be removed at the moment',
        recovered: 'Positions of change listeners that have gone are removed again.',
      },
      run: inBatches(unitOfWork, (tx) => this.clean(tx)),
    });
  }

  private async clean(tx: Transaction): Promise<boolean> {
    const now = this.clock.now();
    for (const { name } of this.made.all) await this.listeners.seeAgain(tx, name, now);
    for (const { name, seenAt } of await this.listeners.allIn(tx)) {
      if (seenAt > now - LONGEST_HOLD) continue;
      if (await this.listeners.forget(tx, name)) return true;
      this.log.warn(`the change listener ${name} has been missing for so long that changes are no longer kept for it`);
    }
    const page = await this.positions.page(tx, this.marker, PAGE_SIZE);
    await this.positions.delete(
      tx,
      page.filter(({ isOrphan }) => isOrphan === 1),
    );
    this.marker = page.length < PAGE_SIZE ? BEGINNING : (page.at(-1) ?? BEGINNING);
    return this.marker !== BEGINNING;
  }
}
