import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables and their migrations. */
export interface Schema {
  readonly entities: readonly EntityClass[];
  /** They run in the order of the time in their names. */
  readonly migrations: readonly MigrationClass[];
  /** Remove parts that only the previous release needs. This release works with and without them. */
  readonly contractions?: readonly MigrationClass[];
}

export interface WholeSchema {
  readonly entities: readonly EntityClass[];
  /** That of the service runs first. */
  readonly histories: readonly [MigrationHistory, ...MigrationHistory[]];
}

export interface MigrationHistory {
  readonly table: string;
  /** `null`: the service itself. */
  readonly plugin: string | null;
  readonly migrations: readonly MigrationClass[];
  readonly contractions: readonly MigrationClass[];
}

export type EntityClass = new () => object;
export type MigrationClass = new () => MigrationInterface;

/**
 * Loads its file only to run it: every start compares the names with the history, but seldom runs one.
 * @param name the exported class
 * @param traits needed before the file is loaded
 */
export function migration<Name extends string>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, MigrationClass>>>,
  { transaction = true }: Pick<MigrationInterface, 'transaction'> = {},
): MigrationClass {
  const loaded = async (): Promise<MigrationInterface> => new (await load())[name]();
  const classes = {
    [name]: class implements MigrationInterface {
      readonly transaction?: boolean;

      constructor() {
        if (!transaction) this.transaction = false;
      }

      async up(runner: QueryRunner): Promise<void> {
        await (await loaded()).up(runner);
      }

      async down(runner: QueryRunner): Promise<void> {
        await (await loaded()).down(runner);
      }
    },
  };
  return classes[name] as MigrationClass;
}
