import { setMaxListeners } from 'node:events';
import { ServiceError } from '../service-error.js';

export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Work for several callers. Aborts when the last caller leaves. */
export class SharedWork<T> {
  hasBegun = false;
  private readonly result: Promise<T>;
  private readonly unwanted = new AbortController();
  private waiting = 0;

  constructor(inTurn: Turns, work: (unwanted: AbortSignal) => Promise<T>) {
    this.result = inTurn(() => {
      if (!this.isWanted) throw nobodyWaits();
      this.hasBegun = true;
      return work(this.unwanted.signal);
    });
    // Callers see the error through `wait`. Without callers it must not be unhandled.
    this.result.catch(() => undefined);
  }

  get isWanted(): boolean {
    return !this.unwanted.signal.aborted;
  }

  /** Runs after the callers have continued. */
  whenDone(callback: () => void): void {
    const callLater = (): void => void setImmediate(callback);
    this.result.then(callLater, callLater);
  }

  /** @throws ServiceError `unavailable` for an aborted caller, and errors of the work */
  async wait(gone: AbortSignal): Promise<T> {
    if (gone.aborted) throw nobodyWaits();
    this.waiting += 1;
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        reject(nobodyWaits());
      };
    });
    // All queries of one connection share its signal.
    setMaxListeners(0, gone);
    gone.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([this.result, left]);
    } finally {
      gone.removeEventListener('abort', leave);
      this.waiting -= 1;
      if (this.waiting === 0) this.unwanted.abort();
    }
  }
}

function nobodyWaits(): ServiceError {
  return new ServiceError('unavailable', 'All who asked for it have gone.');
}
