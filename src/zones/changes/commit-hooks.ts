import { Injectable } from '@nestjs/common';

/** Is told the id of a zone that was made, changed or deleted; it returns at once and throws nothing. */
export type CommitListener = (zoneId: string) => void;

/** Tells listeners of this process which zones have changed, as soon as the change is committed. */
@Injectable()
export class CommitHooks {
  private readonly listeners = new Set<CommitListener>();

  /** Returns what ends it. */
  listen(listener: CommitListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(zoneId: string): void {
    for (const listener of this.listeners) listener(zoneId);
  }
}
