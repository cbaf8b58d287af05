import type { Scheduler } from './scheduler.js';
import type { BackgroundTask, TaskHandle } from './background-task.js';

/** What the task of these writes is called, who may do it, and what the log says when it fails. */
type Declaration = Pick<BackgroundTask, 'name' | 'lease' | 'failureMessages'>;

/**
 * Writes many notes in one commit, each a little later than it is made. A note takes the place of an earlier one with the
 * same key. What could not be written is written with what comes after it.
 */
export class GatheredWrites<Note> {
  private pending = new Map<string, Note>();
  private beingWritten: ReadonlyMap<string, Note> = new Map();
  private readonly task: TaskHandle;

  constructor(
    background: Scheduler,
    declaration: Declaration,
    private readonly write: (notes: ReadonlyMap<string, Note>) => Promise<void>,
  ) {
    this.task = background.add({
      ...declaration,
      every: () => (this.pending.size > 0 ? 0 : Infinity),
      run: () => this.writePending(),
      shutdown: () => this.writePending(),
    });
  }

  /** What is not in the database yet; `undefined` where that has the latest. */
  find(key: string): Note | undefined {
    return this.pending.get(key) ?? this.beingWritten.get(key);
  }

  /** @param within so many milliseconds it is written, with whatever else has been noted by then */
  note(key: string, note: Note, within: number): void {
    this.pending.set(key, note);
    this.task.trigger(within);
  }

  /** Writes what is pending at once. It never fails: what could not be written is tried again. */
  flush(): Promise<void> {
    return this.task.runNow();
  }

  private async writePending(): Promise<void> {
    if (this.pending.size === 0) return;
    const notes = this.pending;
    this.beingWritten = notes;
    this.pending = new Map();
    try {
      await this.write(notes);
    } catch (error) {
      this.pending = new Map([...notes, ...this.pending]);
      throw error;
    } finally {
      this.beingWritten = new Map();
    }
  }
}
