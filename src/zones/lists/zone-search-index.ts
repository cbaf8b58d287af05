import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import { connectionOf } from '../../database/sqlite/sqlite-connection.js';
import { AMONG, AMONG_NUMBERS_ON_POSTGRES } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import { inLowerCase } from '../../database/statements/text-sql.js';
import type { SqlValue } from '../../database/transaction.js';
import { ZONES_OF_BLOCK, zonesWith } from './zone-search-blocks.repository.js';

/** Up to this number of zones, reading all takes no longer. */
const FEW_ZONES = 500;
/** More blocks would take longer than reading all zones. */
const MOST_BLOCKS = 4000;
const MOST_WAITING = 5000;
/** Some 300 KB of texts. */
const BLOCKS_AT_A_TIME = 128;
const ZONES_AT_A_TIME = 1024;
const WAITING_AT_A_TIME = 500;
/** The index has no shorter texts. */
const SHORTEST = 3;
/** More would hardly exclude further blocks. */
const MOST_TRIGRAMS = 24;
const MOST_TEXTS = 8;
const PRINTABLE = /[\x20-\x7e]{3,}/g;

interface Block {
  /** A text on PostgreSQL. */
  readonly block: number | string;
}

interface ZonesOfBlock {
  /** JSON. */
  readonly zones: string;
  /** `null` in blocks of earlier releases. */
  readonly text: string | null;
}

const STATE = new Statement<{ readonly last: number | string | null; readonly waiting: number | string }>(
  'SELECT (SELECT MAX(block) FROM zone_search_blocks) AS last,' +
    ` (SELECT COUNT(*) FROM (SELECT 1 AS one FROM zone_search_queue WHERE zone_id > '' LIMIT ${MOST_WAITING + 1}) q) AS waiting`,
);
const BLOCKS_ON_SQLITE = new Statement<Block>(
  'SELECT rowid AS block FROM zone_search_text WHERE zone_search_text MATCH ? LIMIT ?',
);
const ZONES_OF_BLOCKS = new Statement<ZonesOfBlock>(
  `SELECT zones, text FROM zone_search_blocks WHERE block ${AMONG}`,
  `SELECT zones, text FROM zone_search_blocks WHERE block ${AMONG_NUMBERS_ON_POSTGRES}`,
);
const ZONES_AFTER_BLOCK = new Statement<ZonesOfBlock & Block>(
  `SELECT block, zones, text FROM zone_search_blocks WHERE block > ? ORDER BY block LIMIT ${BLOCKS_AT_A_TIME}`,
);
const WAITING = new Statement<{ readonly id: string }>(
  `SELECT zone_id AS id FROM zone_search_queue WHERE zone_id > ? ORDER BY zone_id LIMIT ${WAITING_AT_A_TIME}`,
);

/**
 * Finds the zones that may have texts in name, email or description (ADR 7). An index has the texts of blocks of zones.
 * A queue has the zones that are not indexed yet, or have changed since.
 */
@Injectable()
export class ZoneSearchIndex {
  constructor(private readonly reads: Reads) {}

  /** Portions of IDs, each once, of all zones that have all these texts and of others. `null`: read all zones. */
  async candidates(texts: readonly string[], zoneCount: number): Promise<(() => AsyncIterable<string[]>) | null> {
    const wanted = texts.flatMap((text) => inLowerCase(text).match(PRINTABLE) ?? []);
    if (zoneCount <= FEW_ZONES || wanted.length === 0) return null;
    const { last, waiting } = (await this.reads.run((tx) => STATE.first(tx, []))) ?? { last: 0, waiting: 0 };
    if (Number(waiting) > MOST_WAITING) return null;
    const most = Math.min(MOST_BLOCKS, Math.floor(zoneCount / ZONES_OF_BLOCK / 4));
    const blocks = await this.blocksWith(wanted, most + 1);
    return blocks.length > most ? null : () => this.zonesOf(wanted, blocks, Number(last));
  }

  private async blocksWith(wanted: readonly string[], most: number): Promise<number[]> {
    const rows = await this.reads.run((tx) => {
      if (connectionOf(tx) !== undefined) return BLOCKS_ON_SQLITE.rows(tx, [trigramsOf(wanted), most]);
      const patterns: SqlValue[] = [...new Set(wanted)].slice(0, MOST_TEXTS).map(likePattern);
      const tests = patterns.map(() => 'text LIKE ?').join(' AND ');
      const sql = `SELECT block FROM zone_search_blocks WHERE ${tests} LIMIT ?`;
      return Statement.once<Block>(sql).rows(tx, [...patterns, most]);
    });
    return rows.map(({ block }) => Number(block));
  }

  /**
   * Blocks first, then the queue, then the blocks formed meanwhile: zones only move in this direction, so that none is
   * missed.
   */
  private async *zonesOf(wanted: readonly string[], blocks: readonly number[], last: number): AsyncGenerator<string[]> {
    const idsIn = (rows: readonly ZonesOfBlock[]): string[] =>
      rows.flatMap(({ zones, text }) => zonesWith(wanted, zones, text));
    const known = new Set<string>();
    const unknown = (ids: readonly string[]): string[] => ids.filter((id) => !known.has(id) && known.add(id));
    for (let from = 0; from < blocks.length; from += BLOCKS_AT_A_TIME) {
      const portion = JSON.stringify(blocks.slice(from, from + BLOCKS_AT_A_TIME));
      const ids = unknown(idsIn(await this.reads.run((tx) => ZONES_OF_BLOCKS.rows(tx, [portion]))));
      for (let at = 0; at < ids.length; at += ZONES_AT_A_TIME) yield ids.slice(at, at + ZONES_AT_A_TIME);
    }
    for (let after: string | undefined = ''; after !== undefined;) {
      const position: string = after;
      const waiting = await this.reads.run((tx) => WAITING.rows(tx, [position]));
      yield unknown(waiting.map(({ id }) => id));
      after = waiting.length < WAITING_AT_A_TIME ? undefined : waiting.at(-1)?.id;
    }
    for (let after = last; ;) {
      const formed = await this.reads.run((tx) => ZONES_AFTER_BLOCK.rows(tx, [after]));
      yield unknown(idsIn(formed));
      if (formed.length < BLOCKS_AT_A_TIME) return;
      after = Number(formed.at(-1)?.block ?? after);
    }
  }
}

/** A query of FTS5. */
function trigramsOf(texts: readonly string[]): string {
  const trigrams = new Set<string>();
  for (const text of texts)
    for (let at = 0; at + SHORTEST <= text.length && trigrams.size < MOST_TRIGRAMS; at += 1)
      trigrams.add(`"${text.slice(at, at + SHORTEST).replaceAll('"', '""')}"`);
  return [...trigrams].join(' AND ');
}

function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
