import { type Schema, tableOf } from '../database/schema.js';
import { Claims } from './claims.js';
import type { Loaded } from './composition.js';

/**
 * One schema of those that plugins bring.
 * @throws ConfigError for a table or a migration that two of them have
 */
export function joinSchemas(loaded: readonly Loaded<Schema>[]): Schema {
  const tables = new Claims('table');
  const migrations = new Claims('migration');
  for (const { plugin, part } of loaded) {
    for (const entity of part.entities) tables.claim(plugin, tableOf(entity).toLowerCase());
    for (const migration of part.migrations) migrations.claim(plugin, migration.name);
  }
  return {
    entities: loaded.flatMap(({ part }) => part.entities),
    migrations: loaded.flatMap(({ part }) => part.migrations),
  };
}
