import { Injectable } from '@nestjs/common';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneEntity } from './zone.entity.js';

/** First and last entry of an index. Zones without a generation are at one end, too. */
function ends(key: string, index = ''): string {
  const end = (direction: string): string =>
    `SELECT * FROM (SELECT generation FROM zones${index} WHERE type = 'PRIMARY' ORDER BY ${key} ${direction} LIMIT 1) e`;
  return `${end('ASC')} UNION ALL ${end('DESC')}`;
}

const ENDS = new Statement<Pick<ZoneEntity, 'generation'>>(
  ends('generation', ' INDEXED BY zones_by_generation'),
  ends('hashtextextended(generation, 0)'),
);
const PAGE_OF_OTHERS = new Statement<Pick<ZoneEntity, 'id'>>(
  "SELECT id FROM zones WHERE generation IS DISTINCT FROM ? AND type = 'PRIMARY' AND id > ? ORDER BY id LIMIT ?",
);
const SET = new Statement('UPDATE zones SET generation = ? WHERE id = ?');

@Injectable()
export class ZoneGenerationRepository {
  constructor(private readonly reads: Reads) {}

  /** Whether all primary zones have the generation. Reads two index entries. */
  async isThatOfAll(generation: string): Promise<boolean> {
    const found = await this.reads.run((tx) => ENDS.rows(tx, []));
    return found.every((end) => end.generation === generation);
  }

  pageOfOthers(generation: string, marker: string, limit: number): Promise<Pick<ZoneEntity, 'id'>[]> {
    return this.reads.run((tx) => PAGE_OF_OTHERS.rows(tx, [generation, marker, limit]));
  }

  async set(tx: Transaction, id: string, generation: string): Promise<void> {
    await SET.run(tx, [generation, id]);
  }
}
