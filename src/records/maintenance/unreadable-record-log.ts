import { Injectable, Logger } from '@nestjs/common';
import type { UnreadableRecord } from '../stored-record.js';

const INTERVAL_MS = 3_600_000;
/** So many records are remembered; beyond that the log may say one of them again. */
const REMEMBERED = 10_000;

/** Tells the operator of records that cannot be rendered, of each once an hour. */
@Injectable()
export class UnreadableRecordLog {
  private readonly logger = new Logger('Zonewright');
  private readonly loggedAt = new Map<string, number>();

  add({ id, owner, type, reason }: UnreadableRecord): void {
    const now = performance.now();
    if (now - (this.loggedAt.get(id) ?? -Infinity) < INTERVAL_MS) return;
    if (this.loggedAt.size >= REMEMBERED) this.loggedAt.clear();
    this.loggedAt.set(id, now);
    this.logger.warn(`record ${id} (${owner} ${type}) cannot be rendered: ${reason}`);
  }
}
