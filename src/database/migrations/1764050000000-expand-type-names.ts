import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Types that had a number only, and their names. Their data stays `\# length hex`, which every type reads. */
const NAMED: readonly (readonly [numbered: string, name: string])[] = [
  ['TYPE22', 'NSAP'],
  ['TYPE67', 'HHIT'],
  ['TYPE68', 'BRID'],
  ['TYPE263', 'CLA'],
  ['TYPE264', 'IPN'],
];

/** Renames records that were stored by the number of their type. Releases before take the names for unknown types. */
export class ExpandTypeNames1764050000000 implements MigrationInterface {
  readonly name = 'ExpandTypeNames1764050000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [numbered, name] of NAMED) {
      for (const table of ['records', 'record_sets'])
        await runner.query(`UPDATE ${table} SET type = '${name}' WHERE type = '${numbered}'`);
      for (const table of ['tokens', 'update_keys'])
        await runner.query(
          `UPDATE ${table} SET restrictions = REPLACE(restrictions, '"${numbered}"', '"${name}"')` +
            ` WHERE restrictions LIKE '%"${numbered}"%'`,
        );
    }
    // The history shows, and a revert stores, the type of a record. One walk serves all of the types.
    const [before, after] = ['before', 'after'].map(renamed);
    await runner.query(`UPDATE journal SET before = ${before}, after = ${after} WHERE ${[...found()].join(' OR ')}`);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

function renamed(column: string): string {
  return NAMED.reduce(
    (text, [numbered, name]) => `REPLACE(${text}, '"type":"${numbered}"', '"type":"${name}"')`,
    column,
  );
}

function* found(): Generator<string> {
  for (const column of ['before', 'after'])
    for (const [numbered] of NAMED) yield `${column} LIKE '%"type":"${numbered}"%'`;
}
