import { Injectable } from '@nestjs/common';
import { lockAcrossProcesses } from '../../database/locks.js';
import { connectionOf } from '../../database/sqlite/sqlite-connection.js';
import { AMONG, AMONG_ON_POSTGRES } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import { inLowerCase } from '../../database/statements/text-sql.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { settledZones, ZoneQueue } from './zone-queue.js';

export const ZONES_OF_BLOCK = 32;
/** A transaction of a few milliseconds. */
const BLOCKS_AT_A_TIME = 8;

interface SearchedZone {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly description: string | null;
}

const QUEUE = new ZoneQueue('zone_search_queue');
const READ = settledZones<SearchedZone>('id, name, email, description');
const LAST = new Statement<{ readonly block: number | string | null }>(
  'SELECT MAX(block) AS block FROM zone_search_blocks',
);
const ADD_TEXT = new Statement('INSERT INTO zone_search_text (rowid, text) VALUES (?, ?)');
const ADD = new Statement('INSERT INTO zone_search_blocks (block, zones, text) VALUES (?, ?, ?)');
/** Blocks are removed in the order of their numbers. */
const COUNT = new Statement<{ readonly blocks: number | string }>(
  'SELECT COALESCE((SELECT MAX(block) FROM zone_search_blocks) - (SELECT MIN(block) FROM zone_search_blocks) + 1, 0) AS blocks',
);
const FIRST = new Statement<{ readonly block: number; readonly zones: string }>(
  `SELECT block, zones FROM zone_search_blocks WHERE block > 0 ORDER BY block LIMIT ${BLOCKS_AT_A_TIME}`,
);
const ENQUEUE_SQL = 'INSERT INTO zone_search_queue (zone_id) SELECT id FROM zones WHERE id';
const ENQUEUE = new Statement(
  `${ENQUEUE_SQL} ${AMONG} ON CONFLICT DO NOTHING`,
  `${ENQUEUE_SQL} ${AMONG_ON_POSTGRES} ON CONFLICT DO NOTHING`,
);
const REMOVE = new Statement('DELETE FROM zone_search_blocks WHERE block = ?');
const REMOVE_TEXT = new Statement('DELETE FROM zone_search_text WHERE rowid = ?');
const TRIGRAM_INDEX = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE INDEX IF NOT EXISTS zone_search_trigrams ON zone_search_blocks USING gin (text gin_trgm_ops)',
];

/** Each block has 32 zones; its number is higher than those of all earlier blocks. */
@Injectable()
export class ZoneSearchBlocks {
  /** Whether the queue has enough for a block. */
  async canForm(tx: Transaction): Promise<boolean> {
    return (await QUEUE.next(tx, ZONES_OF_BLOCK)).length >= ZONES_OF_BLOCK;
  }

  /** Forms blocks from the queue. Returns whether the queue may have enough zones for another block. */
  async form(tx: Transaction): Promise<boolean> {
    await lockAcrossProcesses(tx, 'zone search');
    const next = await QUEUE.next(tx, ZONES_OF_BLOCK * BLOCKS_AT_A_TIME);
    await QUEUE.dequeueDeleted(tx, next);
    const zones = await READ.rows(tx, [JSON.stringify(next)]);
    const formed = zones.slice(0, zones.length - (zones.length % ZONES_OF_BLOCK));
    if (formed.length === 0) return false;
    let block = Number((await LAST.first(tx, []))?.block ?? 0);
    for (let from = 0; from < formed.length; from += ZONES_OF_BLOCK)
      await this.add(tx, (block += 1), formed.slice(from, from + ZONES_OF_BLOCK));
    await QUEUE.dequeue(
      tx,
      formed.map(({ id }) => id),
    );
    return true;
  }

  /** Without this index, PostgreSQL reads the texts of all blocks for each search. */
  async createTrigramIndex(tx: Transaction): Promise<void> {
    if (connectionOf(tx) !== undefined) return;
    await lockAcrossProcesses(tx, 'zone search');
    for (const sql of TRIGRAM_INDEX) await entityManagerOf(tx).query(sql);
  }

  async count(tx: Transaction): Promise<number> {
    return Number((await COUNT.first(tx, []))?.blocks ?? 0);
  }

  /** Puts the zones of the oldest blocks into the queue again. */
  async dissolveOldest(tx: Transaction): Promise<void> {
    await lockAcrossProcesses(tx, 'zone search');
    for (const { block, zones } of await FIRST.rows(tx, [])) {
      await ENQUEUE.run(tx, [zones]);
      await REMOVE.run(tx, [block]);
      if (connectionOf(tx) !== undefined) await REMOVE_TEXT.run(tx, [block]);
    }
  }

  private async add(tx: Transaction, block: number, zones: readonly SearchedZone[]): Promise<void> {
    const ids = JSON.stringify(zones.map(({ id }) => id));
    const text = inLowerCase(zones.map(textOf).join('\n'));
    await ADD.run(tx, [block, ids, text]);
    if (connectionOf(tx) !== undefined) await ADD_TEXT.run(tx, [block, text]);
  }
}

/** A description may have further lines. */
const LINES_OF_ZONE = 3;

function textOf({ name, email, description }: SearchedZone): string {
  return `${name}\n${email}\n${description ?? ''}`;
}

/** The IDs of a block whose text has all of these texts, and of others. @param text `null`: a block of an earlier release */
export function zonesWith(wanted: readonly string[], zones: string, text: string | null): string[] {
  const ids = JSON.parse(zones) as string[];
  const lines = text?.split('\n') ?? [];
  if (lines.length !== LINES_OF_ZONE * ids.length) return ids;
  return ids.filter((_, at) => {
    const own = lines.slice(LINES_OF_ZONE * at, LINES_OF_ZONE * (at + 1)).join('\n');
    return wanted.every((part) => own.includes(part));
  });
}
