import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { HourlyCleanup } from '../../background/hourly-cleanup.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { LONGEST_CLAIM } from '../../zones/journal/history-claims.js';
import { ListenerRepository } from './listener.repository.js';
import { MadeListeners } from './made-listeners.js';
import { type PlaceKey, PlaceRepository } from './place.repository.js';

const PAGE_SIZE = 2000;
const BEGINNING: PlaceKey = { listener: '', zoneId: '' };

/** Notes which listeners are there, and removes the places of those that have gone, and of zones that have left nothing. */
@Injectable()
export class PlacesCleanup extends HourlyCleanup {
  protected override readonly what = 'Places of change listeners that have gone';
  private readonly log = new Logger('Zonewright');
  private marker = BEGINNING;

  constructor(
    private readonly made: MadeListeners,
    private readonly listeners: ListenerRepository,
    private readonly places: PlaceRepository,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
  ) {
    super(unitOfWork);
  }

  protected override async clean(tx: Transaction): Promise<boolean> {
    const now = this.clock.now();
    for (const { name } of this.made.all) await this.listeners.seeAgain(tx, name, now);
    for (const { name, seenAt } of await this.listeners.allIn(tx)) {
      if (seenAt > now - LONGEST_CLAIM) continue;
      if (await this.listeners.forget(tx, name)) return true;
      this.log.warn(`the change listener ${name} has been missing for so long that changes are no longer kept for it`);
    }
    const page = await this.places.page(tx, this.marker, PAGE_SIZE);
    await this.places.delete(
      tx,
      page.filter(({ isOrphan }) => isOrphan === 1),
    );
    this.marker = page.length < PAGE_SIZE ? BEGINNING : (page.at(-1) ?? BEGINNING);
    return this.marker !== BEGINNING;
  }
}
