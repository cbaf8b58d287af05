import { setMaxListeners } from 'node:events';
import { ServiceError } from '../service-error.js';

/** Calls work when it is its turn. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** Work that several wait for. It is told to end when none of them does any more. */
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
    // Those who wait are told; when it fails, nobody may be there.
    this.result.catch(() => undefined);
  }

  /** Whether somebody waits: otherwise it comes to nothing. */
  get isWanted(): boolean {
    return !this.unwanted.signal.aborted;
  }

  /** Calls back when it has ended, well or not, and those who wait have gone on. */
  whenDone(callback: () => void): void {
    const callLater = (): void => void setImmediate(callback);
    this.result.then(callLater, callLater);
  }

  /** @throws ServiceError `unavailable` for who is gone, and whatever the work throws */
  async wait(gone: AbortSignal): Promise<T> {
    if (gone.aborted) throw nobodyWaits();
    this.waiting += 1;
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        reject(nobodyWaits());
      };
    });
    // All queries of a connection may wait, and go with it.
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
