import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';

/** Removes again and again, while the service runs, what nobody can see any more. */
@Injectable()
export abstract class PeriodicCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Zonewright');
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** From one time to the next, in milliseconds. */
  protected abstract readonly everyMs: number;

  /** What is removed, for the line that says that it could not be. */
  protected abstract readonly what: string;

  /** Removes some of it. Returns whether there may be more. */
  protected abstract clean(tx: Transaction): Promise<boolean>;

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.run(), this.everyMs).unref();
  }

  onModuleDestroy(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  /** Removes all that is there by now. */
  async run(): Promise<void> {
    try {
      // Others write between two portions.
      while (this.timer !== null && (await this.unitOfWork.run((tx) => this.clean(tx), { lane: 'cleanups' })));
    } catch (error) {
      this.logger.warn(`${this.what} could not be removed: ${String(error)}`);
    }
  }
}
