import type { MigrationInterface, QueryRunner } from 'typeorm';

interface NumberedRecord {
  readonly zone_id: string;
  readonly id: string;
  readonly rdata: string;
}

interface Snapshots {
  readonly zone_id: string;
  readonly number: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** The placeholder of a value in SQL. */
type Mark = (at: number) => string;

const NUMBERED = '"type":"TYPE49"';
/** Rows that are in memory at once. */
const PORTION = 1000;

/** DHCID has a name now: what was stored by its number is stored by that, with its data in base64. */
export class NameDhcid1763960002000 implements MigrationInterface {
  readonly name = 'NameDhcid1763960002000';

  async up(runner: QueryRunner): Promise<void> {
    const mark = runner.dataSource.options.type === 'postgres' ? (at: number) => `$${at}` : () => '?';
    await this.nameRecords(runner, mark);
    await runner.query("UPDATE record_sets SET type = 'DHCID' WHERE type = 'TYPE49'");
    await runner.query(
      `UPDATE tokens SET restrictions = REPLACE(restrictions, '"TYPE49"', '"DHCID"') WHERE restrictions LIKE '%"TYPE49"%'`,
    );
    await this.nameInJournal(runner, mark);
  }

  private async nameRecords(runner: QueryRunner, mark: Mark): Promise<void> {
    const sql =
      `SELECT zone_id, id, rdata FROM records WHERE (zone_id, id) > (${mark(1)}, ${mark(2)}) AND type = 'TYPE49'` +
      ` ORDER BY zone_id, id LIMIT ${PORTION}`;
    for (let after: readonly unknown[] | null = ['', '']; after !== null;) {
      const records = (await runner.query(sql, [...after])) as NumberedRecord[];
      for (const { zone_id, id, rdata } of records)
        await runner.query(
          `UPDATE records SET type = 'DHCID', data = ${mark(1)} WHERE zone_id = ${mark(2)} AND id = ${mark(3)}`,
          [Buffer.from(rdata, 'hex').toString('base64'), zone_id, id],
        );
      const last = records.length < PORTION ? undefined : records.at(-1);
      after = last === undefined ? null : [last.zone_id, last.id];
    }
  }

  /** The history shows, and a revert stores, what a record was. */
  private async nameInJournal(runner: QueryRunner, mark: Mark): Promise<void> {
    const like = `LIKE '%${NUMBERED}%'`;
    const sql =
      `SELECT zone_id, number, before, after FROM journal WHERE (zone_id, number) > (${mark(1)}, ${mark(2)})` +
      ` AND (before ${like} OR after ${like}) ORDER BY zone_id, number LIMIT ${PORTION}`;
    for (let from: readonly unknown[] | null = ['', -1]; from !== null;) {
      const rows = (await runner.query(sql, [...from])) as Snapshots[];
      for (const { zone_id, number, before, after } of rows)
        await runner.query(
          `UPDATE journal SET before = ${mark(1)}, after = ${mark(2)} WHERE zone_id = ${mark(3)} AND number = ${mark(4)}`,
          [named(before), named(after), zone_id, number],
        );
      const last = rows.length < PORTION ? undefined : rows.at(-1);
      from = last === undefined ? null : [last.zone_id, last.number];
    }
  }

  /** Releases before this one take DHCID for a type that nobody brings: they serve it no more, and delete it. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** Of an update, what is after it has only what differs. */
function named(snapshot: string | null): string | null {
  if (snapshot === null) return null;
  // The journal writes objects.
  const fields = JSON.parse(snapshot) as { type?: string; data?: string };
  if (fields.type === 'TYPE49') fields.type = 'DHCID';
  if (fields.data?.startsWith('\\#') === true)
    fields.data = Buffer.from(fields.data.split(' ').slice(2).join(''), 'hex').toString('base64');
  return JSON.stringify(fields);
}
