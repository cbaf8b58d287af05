import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { KeptAnswerRepository } from './kept-answer.repository.js';

const EVERY_MS = 60_000;

/** Removes answers that are too old, in portions, so that no change waits for it. */
@Injectable()
export class KeptAnswersCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Zonewright');
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly answers: KeptAnswerRepository) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.run(), EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private async run(): Promise<void> {
    try {
      while (this.timer !== null && (await this.answers.removeSome()));
    } catch (error) {
      this.logger.warn(`Answers of more than 24 hours ago could not be removed: ${String(error)}`);
    }
  }
}
