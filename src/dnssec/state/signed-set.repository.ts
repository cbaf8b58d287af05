import { Injectable } from '@nestjs/common';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { bulkDelete, bulkSet, bulkUpsert } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { SignedSetEntity } from './signed-set.entity.js';

export interface GenerationOfZone {
  readonly zoneId: string;
  readonly generation: number;
}

export type SentSet = Pick<SignedSetEntity, 'ownerKey' | 'type' | 'ttl' | 'rdatas' | 'signatures'>;

export type SignedDigest = Pick<SignedSetEntity, 'ownerKey' | 'type' | 'digest'>;

export type SignedSetKey = Pick<SignedSetEntity, 'ownerKey' | 'type'>;

type SetOutline = Pick<SignedSetEntity, 'ownerKey' | 'type' | 'ttl' | 'signedBy' | 'dueAt'> & {
  readonly isOfZone: number;
};

/** Before all sets of a generation. */
export const FIRST_PLACE: SignedSetKey = { ownerKey: '', type: -1 };

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
/** Reads only the columns that transfers need: name servers wait for it. */
const pageOf = (columns: string): string =>
  `SELECT owner_key AS "ownerKey", type, ${columns} FROM signed_sets` +
  ' WHERE zone_id = ? AND generation = ? AND (owner_key, type) > (?, ?) ORDER BY owner_key, type LIMIT ?';
const PAGE = new Statement<SentSet>(pageOf('ttl, rdatas, signatures'));
const DIGESTS_PAGE = new Statement<SignedDigest>(pageOf('digest'));
/** One statement: another process may replace the generation between two. */
const SOA_OF = new Statement<SentSet>(
  'SELECT s.owner_key AS "ownerKey", s.type, s.ttl, s.rdatas, s.signatures FROM zone_signing g JOIN zones z ON z.id = g.zone_id' +
    ' JOIN signed_sets s ON s.zone_id = g.zone_id AND s.generation = g.generation AND s.owner_key = z.name_key AND s.type = 6' +
    ' WHERE g.zone_id = ?',
);
const KEY = { zone_id: 'text', generation: 'bigint', owner_key: 'text', type: 'integer' } as const;
const WRITE = bulkUpsert('signed_sets', KEY, {
  chain_key: 'text',
  ttl: 'integer',
  digest: 'text',
  rdatas: 'text',
  signatures: 'text',
  signed_by: 'text',
  expires_at: 'bigint',
  due_at: 'bigint',
});
const DELETE = bulkDelete('signed_sets', KEY);
const MAKE_DUE = bulkSet('signed_sets', KEY, 'due_at = 0');
const DELETE_SOME = new PortionedDelete({
  table: 'signed_sets',
  key: Object.keys(KEY),
  where: 'zone_id = ? AND generation = ?',
});

/** All sets except apex DNSKEY, CDS and CDNSKEY, whose keys each job compares. */
const OF_ZONE =
  '(type NOT IN (48, 59, 60) OR owner_key <> (SELECT z.name_key FROM zones z WHERE z.id = signed_sets.zone_id))';
const OUTLINES_PAGE = new Statement<SetOutline>(
  pageOf(`ttl, signed_by AS "signedBy", due_at AS "dueAt", CASE WHEN ${OF_ZONE} THEN 1 ELSE 0 END AS "isOfZone"`),
);
const COUNT = new Statement<{ count: number }>(
  'SELECT COUNT(*) AS count FROM signed_sets WHERE zone_id = ? AND generation = ?',
);
/** Skips along the primary key: a zone may have millions of sets. */
const NEXT_GENERATION = new Statement<GenerationOfZone>(
  'SELECT zone_id AS "zoneId", generation FROM signed_sets WHERE (zone_id, generation) > (?, ?)' +
    ' ORDER BY zone_id, generation LIMIT 1',
);
/** Sorts after every key. */
const END = '\u007f';
const PAGE_SIZE = 1000;

@Injectable()
export class SignedSetRepository {
  /** In seconds; 0 without sets. Reads all sets, so it does not belong into a transaction that writes. */
  async longestTtl(tx: Transaction, of: GenerationOfZone): Promise<number> {
    let longest = 0;
    for await (const page of pagesOf(OUTLINES_PAGE, tx, of))
      for (const { ttl } of page) longest = Math.max(longest, ttl);
    return longest;
  }

  publishedSoa(tx: Transaction, zoneId: string): Promise<SentSet | undefined> {
    return SOA_OF.first(tx, [zoneId]);
  }

  at(tx: Transaction, of: GenerationOfZone, ownerKeys: readonly string[]): Promise<SignedSetEntity[]> {
    const keys = ownerKeys.map((key) => [key, of.generation]);
    return AT.rows(tx, [of.zoneId], keys);
  }

  linksAt(tx: Transaction, of: GenerationOfZone, chainKeys: readonly string[]): Promise<SignedSetEntity[]> {
    const keys = chainKeys.map((key) => [key, of.generation]);
    return LINKS_AT.rows(tx, [of.zoneId], keys);
  }

  linkBefore(tx: Transaction, of: GenerationOfZone, key: string): Promise<SignedSetEntity | undefined> {
    return BEFORE.first(tx, [of.zoneId, of.generation, key]);
  }

  linkAfter(tx: Transaction, of: GenerationOfZone, key: string): Promise<SignedSetEntity | undefined> {
    return AFTER.first(tx, [of.zoneId, of.generation, key]);
  }

  firstLink(tx: Transaction, of: GenerationOfZone): Promise<SignedSetEntity | undefined> {
    return this.linkAfter(tx, of, '');
  }

  lastLink(tx: Transaction, of: GenerationOfZone): Promise<SignedSetEntity | undefined> {
    return this.linkBefore(tx, of, END);
  }

  /** Sets to renew until `at`, in seconds since 1970. */
  due(tx: Transaction, of: GenerationOfZone, at: number, limit: number): Promise<SignedSetEntity[]> {
    return DUE.rows(tx, [of.zoneId, of.generation, at, limit]);
  }

  /** When the first renewal is due; `null` without sets. */
  async firstDue(tx: Transaction, { zoneId, generation }: GenerationOfZone): Promise<number | null> {
    return (await FIRST_DUE.first(tx, [zoneId, generation]))?.dueAt ?? null;
  }

  /** Scans the zone. */
  async count(tx: Transaction, { zoneId, generation }: GenerationOfZone): Promise<number> {
    return (await COUNT.first(tx, [zoneId, generation]))?.count ?? 0;
  }

  /**
   * The sets of one page that other keys signed and that are not due, except DNSKEY, CDS and CDNSKEY.
   * @returns also where the next page begins; `null`: this is the last one
   */
  async signedByOthers(
    tx: Transaction,
    { zoneId, generation }: GenerationOfZone,
    signedBy: string,
    after: SignedSetKey,
  ): Promise<{ readonly others: readonly SignedSetKey[]; readonly next: SignedSetKey | null }> {
    const page = await OUTLINES_PAGE.rows(tx, [zoneId, generation, after.ownerKey, after.type, PAGE_SIZE]);
    const others = page.filter((set) => set.signedBy !== signedBy && set.isOfZone === 1 && set.dueAt > 0);
    return { others, next: page.length < PAGE_SIZE ? null : (page.at(-1) ?? null) };
  }

  makeDue(tx: Transaction, of: GenerationOfZone, sets: readonly SignedSetKey[]): Promise<void> {
    return MAKE_DUE.run(tx, keysOf(of, sets));
  }

  /** All sets in canonical order, in pages. */
  all(tx: Transaction, of: GenerationOfZone): AsyncGenerator<readonly SentSet[]> {
    return pagesOf(PAGE, tx, of);
  }

  digests(tx: Transaction, of: GenerationOfZone): AsyncGenerator<readonly SignedDigest[]> {
    return pagesOf(DIGESTS_PAGE, tx, of);
  }

  async nextGeneration(tx: Transaction, after: GenerationOfZone | null): Promise<GenerationOfZone | null> {
    return (await NEXT_GENERATION.first(tx, [after?.zoneId ?? '', after?.generation ?? 0])) ?? null;
  }

  async generationsOf(tx: Transaction, zoneId: string): Promise<number[]> {
    const generations: number[] = [];
    for (let of: GenerationOfZone | null = { zoneId, generation: -1 }; ;) {
      of = await this.nextGeneration(tx, of);
      if (of?.zoneId !== zoneId) return generations;
      generations.push(of.generation);
    }
  }

  write(tx: Transaction, rows: readonly SignedSetEntity[]): Promise<void> {
    return WRITE.runAll(tx, rows);
  }

  delete(tx: Transaction, of: GenerationOfZone, sets: readonly SignedSetKey[]): Promise<void> {
    return DELETE.run(tx, keysOf(of, sets));
  }

  /** Deletes at most `most` sets. Returns whether more may remain. */
  deleteSome(tx: Transaction, { zoneId, generation }: GenerationOfZone, most: number): Promise<boolean> {
    return DELETE_SOME.run(tx, [zoneId, generation], most);
  }
}

function keysOf({ zoneId, generation }: GenerationOfZone, sets: readonly SignedSetKey[]): (string | number)[][] {
  return sets.map(({ ownerKey, type }) => [zoneId, generation, ownerKey, type]);
}

async function* pagesOf<Row extends SignedSetKey>(
  statement: Statement<Row>,
  tx: Transaction,
  { zoneId, generation }: GenerationOfZone,
): AsyncGenerator<readonly Row[]> {
  for (let after = FIRST_PLACE; ;) {
    const page = await statement.rows(tx, [zoneId, generation, after.ownerKey, after.type, PAGE_SIZE]);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    after = last;
    // SQLite reads are synchronous.
    await nextTurn();
  }
}
