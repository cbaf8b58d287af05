import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { bytewiseOn } from '../statements/bytewise.js';

const MODULUS = 2 ** 32;
const HALF = 2 ** 31;

/** The serial that a name had last, for domains that are made again under it; the journal knows it of those deleted so far. */
export class CreateLastSerials1763830000000 implements MigrationInterface {
  readonly name = 'CreateLastSerials1763830000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.createTable(
      new Table({
        name: 'last_serials',
        withoutRowid: true,
        columns: [
          { name: 'name_key', type: 'varchar', length: '255', isPrimary: true, ...bytewiseOn(runner) },
          { name: 'serial', type: 'bigint' },
        ],
      }),
    );
    const mark = runner.dataSource.options.type === 'postgres' ? ['$1', '$2'] : ['?', '?'];
    const insert = `INSERT INTO last_serials (name_key, serial) VALUES (${mark.join(', ')})`;
    for (const [key, serial] of await serialsOfFormer(runner)) await runner.query(insert, [key, serial]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('last_serials');
  }
}

interface Deletion {
  readonly name: string;
  readonly serial: number | string;
}

async function serialsOfFormer(runner: QueryRunner): Promise<Map<string, number>> {
  const serials = new Map<string, number>();
  // TypeORM knows nothing of the rows.
  const deletions = (await runner.query(
    "SELECT former_name AS name, serial FROM journal WHERE action = 'zone.delete' AND former_name IS NOT NULL",
  )) as Deletion[];
  for (const { name, serial } of deletions) {
    const key = keyOf(name);
    const known = serials.get(key);
    if (known === undefined || isLater(Number(serial), known)) serials.set(key, Number(serial));
  }
  return serials;
}

/** `zones.name_key` of a name, which has host labels only. */
function keyOf(name: string): string {
  return name.replace(/\.$/, '').split('.').reverse().join(' ');
}

/** RFC 1982 §3.2 */
function isLater(serial: number, than: number): boolean {
  const lead = (serial - than + MODULUS) % MODULUS;
  return lead > 0 && lead < HALF;
}
