import { DefaultNamingStrategy, getMetadataArgsStorage, type MigrationInterface } from 'typeorm';

/** Tables, and the steps that lead to them. */
export interface Schema {
  readonly entities: readonly EntityClass[];
  /** They run in the order of the time in their names. */
  readonly migrations: readonly MigrationClass[];
  /** Migrations that take away what the release before needs and this one does not: it works with and without them. */
  readonly contractions?: readonly MigrationClass[];
}

/** The tables of the service and its plugins, and the steps of each. */
export interface WholeSchema {
  readonly entities: readonly EntityClass[];
  /** That of the service is the first, and is run first. */
  readonly histories: readonly [MigrationHistory, ...MigrationHistory[]];
}

/** Migrations of the service, or of one plugin, and the table that says which of them have been run. */
export interface MigrationHistory {
  readonly table: string;
  /** `null`: the service itself. */
  readonly plugin: string | null;
  readonly migrations: readonly MigrationClass[];
  readonly contractions: readonly MigrationClass[];
}

export type EntityClass = new () => object;
export type MigrationClass = new () => MigrationInterface;

/** The name of an entity's table. */
export function tableOf(entity: EntityClass): string {
  const declared = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  return new DefaultNamingStrategy().tableName(entity.name, declared?.name);
}
