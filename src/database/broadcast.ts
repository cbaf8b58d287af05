/** Is given what another process has said. It returns at once and throws nothing. */
export type Hear = (text: string) => void;

/**
 * Hints from each process of the service to all others on the same database. One may be lost, and nobody hears their own: who
 * listens has to look for themselves, too, only less often.
 */
export abstract class Broadcast {
  private readonly listeners = new Map<string, Set<Hear>>();
  private readonly awaiting = new Set<() => void>();

  /**
   * @param topic has no colon
   * @param text 7,000 octets at most
   */
  abstract send(topic: string, text: string): void;

  /** Returns what ends it. */
  listen(topic: string, hear: Hear): () => void {
    const ofTopic = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, ofTopic.add(hear));
    this.open();
    return () => ofTopic.delete(hear);
  }

  /** `tell` is called when the database is heard again after it was away, while somebody listens. Returns what ends it. */
  whenBack(tell: () => void): () => void {
    this.awaiting.add(tell);
    return () => this.awaiting.delete(tell);
  }

  abstract close(): Promise<void>;

  protected abstract open(): void;

  protected recordBack(): void {
    for (const tell of this.awaiting) tell();
  }

  protected hear(message: string): void {
    const colon = message.indexOf(':');
    for (const hear of this.listeners.get(message.slice(0, colon)) ?? []) hear(message.slice(colon + 1));
  }
}

/** On SQLite one process serves; commands that change the same file tell nobody. */
export class NoBroadcast extends Broadcast {
  override send(): void {
    return;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }

  protected override open(): void {
    return;
  }
}
