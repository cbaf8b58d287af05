import { Injectable } from '@nestjs/common';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { bulkDelete, BulkWrite, type Columns, unnest } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { GenerationOfZone } from './generation.js';
import type { SignedSetEntity } from './signed-set.entity.js';

/** What name servers are sent of a set. */
export type SentSet = Pick<SignedSetEntity, 'ownerKey' | 'type' | 'ttl' | 'rdatas' | 'signatures'>;

/** By which a set is known to be the one that was signed. */
export type SignedDigest = Pick<SignedSetEntity, 'ownerKey' | 'type' | 'digest'>;

/** A set among those of its zone. */
export type SignedSetKey = Pick<SignedSetEntity, 'ownerKey' | 'type'>;

const COLUMNS =
  'zone_id AS "zoneId", generation, owner_key AS "ownerKey", type, chain_key AS "chainKey", ttl, digest, rdatas,' +
  ' signatures, signed_by AS "signedBy", expires_at AS "expiresAt", due_at AS "dueAt"';
const ALL = `SELECT ${COLUMNS} FROM signed_sets WHERE zone_id = ? AND generation = ?`;
const AT = new Lookup<SignedSetEntity>(
  `SELECT ${COLUMNS} FROM signed_sets WHERE zone_id = ? AND owner_key = ? AND generation = ?`,
  ['text', 'bigint'],
);
const linksAt = (hint: string): string =>
  `SELECT ${COLUMNS} FROM signed_sets${hint} WHERE zone_id = ? AND chain_key = ? AND generation = ?`;
/** Without statistics SQLite reads the whole zone by the primary key. */
const LINKS_AT = new Lookup<SignedSetEntity>(linksAt(' INDEXED BY signed_sets_chain'), ['text', 'bigint'], linksAt(''));
const BEFORE = new Statement<SignedSetEntity>(`${ALL} AND chain_key < ? ORDER BY chain_key DESC LIMIT 1`);
const AFTER = new Statement<SignedSetEntity>(`${ALL} AND chain_key > ? ORDER BY chain_key LIMIT 1`);
const DUE = new Statement<SignedSetEntity>(`${ALL} AND due_at <= ? ORDER BY due_at LIMIT ?`);
const FIRST_DUE = new Statement<{ dueAt: number }>(
  'SELECT due_at AS "dueAt" FROM signed_sets WHERE zone_id = ? AND generation = ? ORDER BY due_at LIMIT 1',
);
/** There are as many as a zone has sets, and name servers wait for them: what they are not sent is not read. */
const pageOf = (columns: string): string =>
  `SELECT owner_key AS "ownerKey", type, ${columns} FROM signed_sets` +
  ' WHERE zone_id = ? AND generation = ? AND (owner_key, type) > (?, ?) ORDER BY owner_key, type LIMIT ?';
const PAGE = new Statement<SentSet>(pageOf('ttl, rdatas, signatures'));
const DIGESTS_PAGE = new Statement<SignedDigest>(pageOf('digest'));
/** In one statement: between two of them, others may publish another generation and remove this one. */
const SOA_OF = new Statement<SentSet>(
  'SELECT s.owner_key AS "ownerKey", s.type, s.ttl, s.rdatas, s.signatures FROM zone_signing g JOIN zones z ON z.id = g.zone_id' +
    ' JOIN signed_sets s ON s.zone_id = g.zone_id AND s.generation = g.generation AND s.owner_key = z.name_key AND s.type = 6' +
    ' WHERE g.zone_id = ?',
);
const KEY: Columns = { zone_id: 'text', generation: 'bigint', owner_key: 'text', type: 'integer' };
const OTHERS: Columns = {
  chain_key: 'text',
  ttl: 'integer',
  digest: 'text',
  rdatas: 'text',
  signatures: 'text',
  signed_by: 'text',
  expires_at: 'bigint',
  due_at: 'bigint',
};
const NAMES = [...Object.keys(KEY), ...Object.keys(OTHERS)];
const INTO = `INSERT INTO signed_sets (${NAMES.join(', ')})`;
const REPLACE = `ON CONFLICT (${Object.keys(KEY).join(', ')}) DO UPDATE SET ${Object.keys(OTHERS)
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')}`;
const WRITE = new BulkWrite({
  columns: { ...KEY, ...OTHERS },
  sqlite: { sql: `${INTO} VALUES (${NAMES.map(() => '?').join(', ')}) ${REPLACE}` },
  // Without a condition PostgreSQL would take ON for that of a join.
  postgres: (arrays) => `${INTO} SELECT * FROM ${unnest(arrays)} WHERE true ${REPLACE}`,
});
const DELETE = bulkDelete('signed_sets', KEY);
const DELETE_SOME = new PortionedDelete({
  table: 'signed_sets',
  key: Object.keys(KEY),
  where: 'zone_id = ? AND generation = ?',
});

/** All but DNSKEY, CDS and CDNSKEY of the zone itself: what those are signed with is compared by each run. */
const OF_ZONE =
  '(type NOT IN (48, 59, 60) OR owner_key <> (SELECT z.name_key FROM zones z WHERE z.id = signed_sets.zone_id))';
const MAKE_DUE = new Statement(`UPDATE signed_sets SET due_at = 0 WHERE zone_id = ? AND generation = ? AND ${OF_ZONE}`);
const ANY_BY_OTHERS = new Statement<unknown>(
  `SELECT 1 FROM signed_sets WHERE zone_id = ? AND generation = ? AND signed_by <> ? AND ${OF_ZONE} LIMIT 1`,
);
const LONGEST_TTL = new Statement<{ ttl: number | null }>(
  'SELECT MAX(ttl) AS ttl FROM signed_sets WHERE zone_id = ? AND generation = ?',
);
const COUNT = new Statement<{ count: number }>(
  'SELECT COUNT(*) AS count FROM signed_sets WHERE zone_id = ? AND generation = ?',
);
/** By leaps along the key: there may be millions of sets, of few zones. */
const NEXT_GENERATION = new Statement<GenerationOfZone>(
  'SELECT zone_id AS "zoneId", generation FROM signed_sets WHERE (zone_id, generation) > (?, ?)' +
    ' ORDER BY zone_id, generation LIMIT 1',
);
/** Behind every key. */
const END = '\u007f';
const PAGE_SIZE = 1000;

/** What is signed of zones. */
@Injectable()
export class SignedSetRepository {
  /** In seconds; 0 where there are none. */
  async longestTtl(tx: Transaction, { zoneId, generation }: GenerationOfZone): Promise<number> {
    return (await LONGEST_TTL.first(tx, [zoneId, generation]))?.ttl ?? 0;
  }

  /** The SOA as it is published at that moment. */
  publishedSoa(tx: Transaction, zoneId: string): Promise<SentSet | undefined> {
    return SOA_OF.first(tx, [zoneId]);
  }

  /** All sets at these names. */
  at(
    tx: Transaction,
    { zoneId, generation }: GenerationOfZone,
    ownerKeys: readonly string[],
  ): Promise<SignedSetEntity[]> {
    return AT.rows(
      tx,
      [zoneId],
      ownerKeys.map((key) => [key, generation]),
    );
  }

  /** Those of NSEC or NSEC3 at these names. */
  linksAt(
    tx: Transaction,
    { zoneId, generation }: GenerationOfZone,
    keys: readonly string[],
  ): Promise<SignedSetEntity[]> {
    return LINKS_AT.rows(
      tx,
      [zoneId],
      keys.map((key) => [key, generation]),
    );
  }

  linkBefore(
    tx: Transaction,
    { zoneId, generation }: GenerationOfZone,
    key: string,
  ): Promise<SignedSetEntity | undefined> {
    return BEFORE.first(tx, [zoneId, generation, key]);
  }

  linkAfter(
    tx: Transaction,
    { zoneId, generation }: GenerationOfZone,
    key: string,
  ): Promise<SignedSetEntity | undefined> {
    return AFTER.first(tx, [zoneId, generation, key]);
  }

  firstLink(tx: Transaction, of: GenerationOfZone): Promise<SignedSetEntity | undefined> {
    return this.linkAfter(tx, of, '');
  }

  lastLink(tx: Transaction, of: GenerationOfZone): Promise<SignedSetEntity | undefined> {
    return this.linkBefore(tx, of, END);
  }

  /** Those that are to be signed again by then, in seconds since 1970. */
  due(
    tx: Transaction,
    { zoneId, generation }: GenerationOfZone,
    at: number,
    limit: number,
  ): Promise<SignedSetEntity[]> {
    return DUE.rows(tx, [zoneId, generation, at, limit]);
  }

  /** When the first is due; `null` where there are none. */
  async firstDue(tx: Transaction, { zoneId, generation }: GenerationOfZone): Promise<number | null> {
    return (await FIRST_DUE.first(tx, [zoneId, generation]))?.dueAt ?? null;
  }

  /** How many there are. It reads them all. */
  async count(tx: Transaction, { zoneId, generation }: GenerationOfZone): Promise<number> {
    return (await COUNT.first(tx, [zoneId, generation]))?.count ?? 0;
  }

  /**
   * Whether any set of the zone itself is signed by other keys. It may read them all.
   * @param signedBy their tags, as rows have them
   */
  async isSignedByOthers(
    tx: Transaction,
    { zoneId, generation }: GenerationOfZone,
    signedBy: string,
  ): Promise<boolean> {
    return (await ANY_BY_OTHERS.first(tx, [zoneId, generation, signedBy])) !== undefined;
  }

  /** Has all be signed again, as if their time had come. */
  makeDue(tx: Transaction, { zoneId, generation }: GenerationOfZone): Promise<void> {
    return MAKE_DUE.run(tx, [zoneId, generation]);
  }

  /** All of them in canonical order, page by page. */
  all(tx: Transaction, of: GenerationOfZone): AsyncGenerator<readonly SentSet[]> {
    return pagesOf(PAGE, tx, of);
  }

  /** The same of their digests. */
  digests(tx: Transaction, of: GenerationOfZone): AsyncGenerator<readonly SignedDigest[]> {
    return pagesOf(DIGESTS_PAGE, tx, of);
  }

  /** The first generation behind that one, of whichever zone, whether that is there or not; `null` where there is none. */
  async nextGeneration(tx: Transaction, after: GenerationOfZone | null): Promise<GenerationOfZone | null> {
    return (await NEXT_GENERATION.first(tx, [after?.zoneId ?? '', after?.generation ?? 0])) ?? null;
  }

  write(tx: Transaction, rows: readonly SignedSetEntity[]): Promise<void> {
    return WRITE.run(
      tx,
      rows.map((row) => [
        ...[row.zoneId, row.generation, row.ownerKey, row.type, row.chainKey, row.ttl, row.digest],
        ...[row.rdatas, row.signatures, row.signedBy, row.expiresAt, row.dueAt],
      ]),
    );
  }

  delete(tx: Transaction, { zoneId, generation }: GenerationOfZone, sets: readonly SignedSetKey[]): Promise<void> {
    return DELETE.run(
      tx,
      sets.map(({ ownerKey, type }) => [zoneId, generation, ownerKey, type]),
    );
  }

  /** Removes some of a generation; returns whether there may be others. */
  deleteSome(tx: Transaction, { zoneId, generation }: GenerationOfZone, most: number): Promise<boolean> {
    return DELETE_SOME.run(tx, [zoneId, generation], most);
  }
}

async function* pagesOf<Row extends SignedSetKey>(
  statement: Statement<Row>,
  tx: Transaction,
  { zoneId, generation }: GenerationOfZone,
): AsyncGenerator<readonly Row[]> {
  for (let after: SignedSetKey = { ownerKey: '', type: -1 }; ;) {
    const page = await statement.rows(tx, [zoneId, generation, after.ownerKey, after.type, PAGE_SIZE]);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    after = last;
    // Reading is synchronous on SQLite.
    await nextTurn();
  }
}
