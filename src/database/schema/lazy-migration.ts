import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { MigrationClass } from './schema.js';

/**
 * A migration whose file is loaded when it is run. Every start compares the names of all migrations with those that a database
 * has had, and seldom runs one.
 * @param name of the class that the file exports
 * @param traits `transaction` of the class, which is asked for before the file is loaded
 */
export function migration<Name extends string>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, MigrationClass>>>,
  { transaction = true }: Pick<MigrationInterface, 'transaction'> = {},
): MigrationClass {
  const loaded = async (): Promise<MigrationInterface> => new (await load())[name]();
  const classes = {
    // Named after its key, as TypeORM asks for.
    [name]: class implements MigrationInterface {
      readonly transaction?: boolean;

      constructor() {
        // Whoever does not say it has a transaction as all others have.
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
