import type { BackgroundService, Scheduler } from './scheduler.js';
import type { BackgroundTask, TaskHandle } from './background-task.js';

/** Writes many notes in one commit. A note replaces an earlier one with its key; failed writes are retried. */
export class GatheredWrites<Note> implements BackgroundService {
  private pending = new Map<string, Note>();
  private beingWritten: ReadonlyMap<string, Note> = new Map();
  private task: TaskHandle | null = null;

  constructor(
    private readonly declaration: Pick<BackgroundTask, 'name' | 'lease' | 'failureMessages'>,
    private readonly write: (notes: ReadonlyMap<string, Note>) => Promise<void>,
  ) {}

  addTasks(scheduler: Scheduler): void {
    this.task = scheduler.add({
      ...this.declaration,
      every: () => (this.pending.size > 0 ? 0 : Infinity),
      run: () => this.writePending(),
      shutdown: () => this.writePending(),
    });
  }

  /** `undefined` if the database is up to date. */
  find(key: string): Note | undefined {
    return this.pending.get(key) ?? this.beingWritten.get(key);
  }

  /** @param within milliseconds */
  note(key: string, note: Note, within: number): void {
    this.pending.set(key, note);
    this.task?.trigger(within);
  }

  /** Never throws: failed writes are retried. */
  async flush(): Promise<void> {
    await this.task?.runNow();
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
