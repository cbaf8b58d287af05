import { Injectable } from '@nestjs/common';
import { Statement } from '../database/statement.js';
import type { Transaction } from '../database/unit-of-work.js';

/** What a zone is made of, record by record. */
export interface ZoneRow {
  readonly name: string;
  readonly ownerKey: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly rdata: string;
  readonly fingerprint: string;
}

const COLUMNS = 'name, owner_key AS "ownerKey", type, ttl, rdata, fingerprint';
const PAGE = new Statement<ZoneRow>(
  `SELECT ${COLUMNS} FROM records WHERE domain_id = ? AND (owner_key, type, fingerprint) > (?, ?, ?)` +
    ' ORDER BY owner_key, type, fingerprint LIMIT ?',
);
const SET = new Statement<ZoneRow>(
  `SELECT ${COLUMNS} FROM records WHERE domain_id = ? AND owner_key = ? AND type = ? ORDER BY fingerprint`,
);
const TYPES_AT = new Statement<{ type: string }>('SELECT type FROM recordsets WHERE domain_id = ? AND owner_key = ?');
/** Keys sort everything below a name right behind it. */
const EXISTS = new Statement<unknown>(
  'SELECT 1 FROM recordsets WHERE domain_id = ? AND owner_key >= ? AND owner_key < ? LIMIT 1',
);

const PAGE_SIZE = 1000;

/** Before every row: no key sorts below the empty text. */
const START = { ownerKey: '', type: '', fingerprint: '' };

@Injectable()
export class ZoneRepository {
  /** All records of a domain in the canonical order of their owner names, sets together, read page by page. */
  async *rows(manager: Transaction, domainId: string): AsyncGenerator<ZoneRow> {
    let after: Pick<ZoneRow, 'ownerKey' | 'type' | 'fingerprint'> = START;
    for (;;) {
      const page = await PAGE.rows(manager, [domainId, after.ownerKey, after.type, after.fingerprint, PAGE_SIZE]);
      yield* page;
      const last = page[page.length - 1];
      if (last === undefined || page.length < PAGE_SIZE) return;
      after = last;
      // Reading is synchronous on SQLite: other requests get their turn between two pages.
      await new Promise(setImmediate);
    }
  }

  set(manager: Transaction, domainId: string, ownerKey: string, type: string): Promise<ZoneRow[]> {
    return SET.rows(manager, [domainId, ownerKey, type]);
  }

  async typesAt(manager: Transaction, domainId: string, ownerKey: string): Promise<string[]> {
    return (await TYPES_AT.rows(manager, [domainId, ownerKey])).map(({ type }) => type);
  }

  /** Whether there is anything at a name or below it. */
  async exists(manager: Transaction, domainId: string, ownerKey: string): Promise<boolean> {
    return (await EXISTS.first(manager, [domainId, ownerKey, `${ownerKey}!`])) !== undefined;
  }
}
