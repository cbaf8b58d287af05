import { Injectable } from '@nestjs/common';
import { bulkUpdate } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { LastSerialEntity } from './last-serial.entity.js';

/** Where zones are made together, those of all names are read together. */
const FIND = new Lookup<Pick<LastSerialEntity, 'serial'>>('SELECT serial FROM last_serials WHERE name_key = ?', [
  'text',
]);
const REMEMBER = new Statement(
  'INSERT INTO last_serials (name_key, serial) VALUES (?, ?) ON CONFLICT (name_key) DO UPDATE SET serial = excluded.serial',
);
const PAGE = 'SELECT name_key AS "nameKey", serial FROM last_serials WHERE name_key > ? ORDER BY name_key LIMIT ?';
const LOCK_PAGE = new Statement<LastSerialEntity>(PAGE, `${PAGE} FOR UPDATE`);
const UPDATE = bulkUpdate('last_serials', { name_key: 'text' }, { serial: 'bigint' });

const PAGE_SIZE = 1000;

/** The serials that deleted zones had, by the key of their names (behaviour 12.3). */
@Injectable()
export class LastSerialRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** `null` for a name that no zone has had. Exact once it is known that no zone has the name. */
  async of(tx: Transaction, nameKey: string): Promise<number | null> {
    const [last] = await FIND.rows(tx, [], [[nameKey]]);
    return last?.serial ?? null;
  }

  /** Written by the transaction that deletes the zone. */
  remember(tx: Transaction, nameKey: string, serial: number): Promise<void> {
    return REMEMBER.run(tx, [nameKey, serial]);
  }

  /** Gives every remembered name another serial. */
  async changeAll(change: (serial: number) => number): Promise<void> {
    for (let marker: string | undefined = ''; marker !== undefined;) marker = await this.changePage(marker, change);
  }

  /** Returns the last key of the page, `undefined` when there was nothing left. */
  private changePage(marker: string, change: (serial: number) => number): Promise<string | undefined> {
    return this.unitOfWork.run(async (tx) => {
      const page = await LOCK_PAGE.rows(tx, [marker, PAGE_SIZE]);
      await UPDATE.run(
        tx,
        page.map(({ nameKey, serial }) => [nameKey, change(serial)]),
      );
      return page.at(-1)?.nameKey;
    });
  }
}
