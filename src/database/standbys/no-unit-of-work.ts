import { unavailable } from '../database-failure.js';
import { UnitOfWork } from '../unit-of-work.js';

/** Of a program that reads from standbys alone: every change is refused, and its caller told to go elsewhere. */
export class NoUnitOfWork extends UnitOfWork {
  override run(): Promise<never> {
    return refused();
  }

  override runInBatch(): Promise<never> {
    return refused();
  }

  override drained(): Promise<void> {
    return Promise.resolve();
  }

  override get waiting(): number {
    return 0;
  }
}

function refused(): Promise<never> {
  return Promise.reject(
    unavailable(new Error('this program reads from standbys and changes nothing (mdns --standby)')),
  );
}
