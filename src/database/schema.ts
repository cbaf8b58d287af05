import { DefaultNamingStrategy, getMetadataArgsStorage, type MigrationInterface } from 'typeorm';

/** Tables, and the steps that lead to them. */
export interface Schema {
  readonly entities: readonly EntityClass[];
  /** All migrations run in the order of the time in their names, whoever brings them. */
  readonly migrations: readonly MigrationClass[];
}

export type EntityClass = new () => object;
export type MigrationClass = new () => MigrationInterface;

/** The name of an entity's table. */
export function tableOf(entity: EntityClass): string {
  const declared = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  return new DefaultNamingStrategy().tableName(entity.name, declared?.name);
}
