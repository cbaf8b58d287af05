import { Injectable } from '@nestjs/common';
import { bulkUpdate } from '../../database/statements/bulk-write.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Last serial of a deleted zone. Secondaries may still have it, so a new zone of that name starts above it. */
@Entity('last_serials', { withoutRowid: true })
export class LastSerialEntity {
  @PrimaryColumn('varchar', { name: 'name_key', length: 255, ...BYTEWISE })
  nameKey!: string;

  @Column('bigint')
  serial!: number;
}

/** Batched for zones that are created together. */
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

@Injectable()
export class LastSerialRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** `null` if no zone had the name. Exact if the caller knows that no zone has it. */
  async of(tx: Transaction, nameKey: string): Promise<number | null> {
    const [last] = await FIND.rows(tx, [], [[nameKey]]);
    return last?.serial ?? null;
  }

  /** Call it in the transaction that deletes the zone. */
  remember(tx: Transaction, nameKey: string, serial: number): Promise<void> {
    return REMEMBER.run(tx, [nameKey, serial]);
  }

  async changeAll(change: (serial: number) => number): Promise<void> {
    for (let marker: string | undefined = ''; marker !== undefined;) marker = await this.changePage(marker, change);
  }

  /** `undefined` after the last page. */
  private changePage(marker: string, change: (serial: number) => number): Promise<string | undefined> {
    return this.unitOfWork.run(async (tx) => {
      const page = await LOCK_PAGE.rows(tx, [marker, PAGE_SIZE]);
      const changed = page.map(({ nameKey, serial }) => [nameKey, change(serial)]);
      await UPDATE.run(tx, changed);
      return page.at(-1)?.nameKey;
    });
  }
}
