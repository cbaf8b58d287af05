import { Logger } from '@nestjs/common';

/** Lines for one key in a minute. */
const MOST_LINES = 20;
const MINUTE_MS = 60_000;
const MOST_KEYS = 1000;

interface Told {
  since: number;
  lines: number;
}

/** Says why messages are refused, and no more of one key than somebody can read. */
export class RefusalLog {
  private readonly logger = new Logger('Updates');
  private readonly told = new Map<string, Told>();

  warn(keyId: string, line: string): void {
    const now = performance.now();
    const told = this.toldOf(keyId, now);
    told.lines += 1;
    if (told.lines <= MOST_LINES) this.logger.warn(line);
    if (told.lines === MOST_LINES) this.logger.warn(`further refusals of this key are not told for a minute`);
  }

  private toldOf(keyId: string, now: number): Told {
    const known = this.told.get(keyId);
    if (known !== undefined && now - known.since < MINUTE_MS) return known;
    if (this.told.size >= MOST_KEYS) this.told.clear();
    const told = { since: now, lines: 0 };
    this.told.set(keyId, told);
    return told;
  }
}
