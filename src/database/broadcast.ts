/** Must return immediately and throw nothing. */
export type Hear = (text: string) => void;

/** Sends hints to the other processes on a database. Listeners must also poll, since hints may be lost. */
export abstract class Broadcast {
  private readonly listeners = new Map<string, Set<Hear>>();
  private readonly awaiting = new Set<() => void>();

  /** `topic` has no colon, and `text` at most 7,000 octets. */
  abstract send(topic: string, text: string): void;

  listen(topic: string, hear: Hear): () => void {
    const ofTopic = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, ofTopic.add(hear));
    this.open();
    return () => ofTopic.delete(hear);
  }

  /** Calls `tell` when the connection is back, while a listener exists. */
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

/** On SQLite, one process serves. */
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
