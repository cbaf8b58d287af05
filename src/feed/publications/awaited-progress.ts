import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { PublicationProgress } from '../../zones/publication-progress.js';
import { AwaitedPublicationRepository } from './awaited-publication.repository.js';

/** Has it looked at whether changes have arrived as soon as a name server has more of their zone. */
@Injectable()
export class AwaitedProgress extends PublicationProgress {
  constructor(private readonly awaited: AwaitedPublicationRepository) {
    super();
  }

  override record(tx: Transaction, zoneIds: readonly string[]): Promise<void> {
    return this.awaited.recordProgress(tx, zoneIds);
  }
}
