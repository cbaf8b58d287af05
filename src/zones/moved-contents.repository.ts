import { Injectable } from '@nestjs/common';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';

/** A zone whose records are stored under another id. `database/statements/contents-id.ts` reads the table. */
@Entity('moved_contents', { withoutRowid: true })
@Index('moved_contents_by_id', ['contents'], { unique: true })
export class MovedContentsEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  zone!: string;

  @Column('varchar', { length: 36, ...BYTEWISE })
  contents!: string;
}

const FIND = new Statement<MovedContentsEntity>('SELECT zone, contents FROM moved_contents WHERE zone = ?');
const MOVE = new Statement(
  'INSERT INTO moved_contents (zone, contents) VALUES (?, ?) ON CONFLICT (zone) DO UPDATE SET contents = excluded.contents',
);
const FORGET = new Statement('DELETE FROM moved_contents WHERE zone = ?');
/** Release 1.0.0 would take a moved zone for an empty one (storage 18.8). */
const IS_CONTRACTED = new Statement<unknown>(
  "SELECT 1 FROM migrations WHERE name = 'ContractOwnContents1764480000000'",
);

@Injectable()
export class MovedContentsRepository {
  async mayMove(tx: Transaction): Promise<boolean> {
    return (await IS_CONTRACTED.first(tx, [])) !== undefined;
  }

  async contentsOf(tx: Transaction, zoneId: string): Promise<string> {
    return (await FIND.first(tx, [zoneId]))?.contents ?? zoneId;
  }

  async move(tx: Transaction, zoneId: string, contentsId: string): Promise<void> {
    await MOVE.run(tx, [zoneId, contentsId]);
  }

  async forget(tx: Transaction, zoneId: string): Promise<void> {
    await FORGET.run(tx, [zoneId]);
  }
}
