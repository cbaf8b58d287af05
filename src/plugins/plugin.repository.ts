import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';
import type { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../database/transaction.js';
import type { UnitOfWork } from '../database/unit-of-work.js';

/** The data of a plugin outlives its package. */
@Entity('plugins')
export class PluginEntity {
  @PrimaryColumn('varchar', { length: 63, ...BYTEWISE })
  name!: string;

  /** JSON: a list of `{ name, code }`. */
  @Column('text', { name: 'record_types' })
  recordTypes!: string;

  /** JSON: a list of names. */
  @Column('text')
  tables!: string;
}

export interface PluginTraces {
  readonly name: string;
  readonly recordTypes: readonly { readonly name: string; readonly code: number }[];
  readonly tables: readonly string[];
}

const ALL = new Statement<PluginEntity>(
  'SELECT name, record_types AS "recordTypes", tables FROM plugins ORDER BY name',
);
const NOTE = new Statement(
  'INSERT INTO plugins (name, record_types, tables) VALUES (?, ?, ?) ON CONFLICT (name)' +
    ' DO UPDATE SET record_types = excluded.record_types, tables = excluded.tables',
);
const FORGET = new Statement('DELETE FROM plugins WHERE name = ?');
const HAS_RECORDS = new Statement<{ found: number }>(
  'SELECT 1 AS found FROM records WHERE type = ? AND zone_id NOT IN (SELECT zone_id FROM left_contents) LIMIT 1',
);

/** Returns absent plugins whose records or tables remain, and forgets the others. */
export async function recordPlugins(
  { reads, unitOfWork }: { readonly reads: Reads; readonly unitOfWork: UnitOfWork | null },
  used: readonly PluginTraces[],
): Promise<PluginTraces[]> {
  const noted = await reads.run((tx) => ALL.rows(tx, []));
  const changed = used.map(rowOf).filter((row) => !noted.some((each) => isSame(each, row)));
  if (changed.length > 0)
    await unitOfWork?.run(async (tx) => {
      for (const { name, recordTypes, tables } of changed) await NOTE.run(tx, [name, recordTypes, tables]);
    });
  const absent = noted.filter(({ name }) => !used.some((plugin) => plugin.name === name)).map(tracesOf);
  const left: PluginTraces[] = [];
  for (const plugin of absent) {
    const found = await reads.run((tx) => leftOf(tx, plugin));
    if (found.tables.length > 0 || found.recordTypes.length > 0) left.push(found);
    else await unitOfWork?.run((tx) => FORGET.run(tx, [plugin.name]));
  }
  return left;
}

/** Reads all records in the worst case, but only while a plugin is absent. */
async function leftOf(tx: Transaction, { name, recordTypes, tables }: PluginTraces): Promise<PluginTraces> {
  const runner = entityManagerOf(tx).queryRunner;
  const left: { recordTypes: PluginTraces['recordTypes'][number][]; tables: string[] } = {
    recordTypes: [],
    tables: [],
  };
  for (const type of recordTypes)
    if ((await HAS_RECORDS.first(tx, [type.name])) !== undefined) left.recordTypes.push(type);
  for (const table of tables) if ((await runner?.hasTable(table)) === true) left.tables.push(table);
  return { name, ...left };
}

function rowOf({ name, recordTypes, tables }: PluginTraces): PluginEntity {
  const types = recordTypes.map(({ name, code }) => ({ name, code }));
  return { name, recordTypes: JSON.stringify(types), tables: JSON.stringify(tables) };
}

function tracesOf({ name, recordTypes, tables }: PluginEntity): PluginTraces {
  return {
    name,
    recordTypes: JSON.parse(recordTypes) as PluginTraces['recordTypes'],
    tables: JSON.parse(tables) as string[],
  };
}

function isSame(one: PluginEntity, other: PluginEntity): boolean {
  return one.name === other.name && one.recordTypes === other.recordTypes && one.tables === other.tables;
}
