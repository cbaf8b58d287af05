import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import { Reads } from './reads.js';
import { Statement } from './statements/statement.js';

const NOW = new Statement<{ now: Instant | null }>(
  'SELECT NULL AS now',
  'SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS now',
);

@Injectable()
export class DatabaseClock {
  constructor(private readonly reads: Reads) {}

  /** `null` if the database runs on this machine, as SQLite does. */
  async now(): Promise<Instant | null> {
    return (await this.reads.run((tx) => NOW.first(tx, [])))?.now ?? null;
  }
}
