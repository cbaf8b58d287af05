import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { MigrationClass } from './schema.js';

/**
 * A migration whose file is loaded when it is run. Every start compares the names of all migrations with those that a database
 * has had, and seldom runs one.
 * @param name of the class that the file exports
 */
export function migration<Name extends string>(
  name: Name,
  load: () => Promise<Readonly<Record<Name, MigrationClass>>>,
): MigrationClass {
  const loaded = async (): Promise<MigrationInterface> => new (await load())[name]();
  const classes = {
    // Named after its key, as TypeORM asks for.
    [name]: class implements MigrationInterface {
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
