import type { MigrationHistory, Schema, WholeSchema } from '../../database/schema/schema.js';
import { kindOf, tableOf } from '../../database/schema/schema-state.js';
import type { ZonewrightPlugin } from '../../plugins/plugin.js';
import { Claims, isBuiltIn, prefixOf, refusal, type Loaded } from './plugin-checks.js';

/**
 * Each external plugin has its own migration history, so that new versions do not interleave migrations.
 * @throws ConfigError for a duplicate table or migration, and for a reserved table name
 */
export function joinSchemas(loaded: readonly Loaded<Schema>[]): WholeSchema {
  const tables = new Claims('table', [OUR_HISTORY]);
  const migrations = new Claims('migration');
  const ours = loaded.filter(({ plugin }) => isBuiltIn(plugin));
  const others = loaded.filter(({ plugin }) => !isBuiltIn(plugin));
  for (const { plugin, part } of loaded) {
    for (const table of tablesOf(part)) tables.claim(plugin, table);
    const { contractions = [] } = part;
    for (const migration of [...part.migrations, ...contractions]) migrations.claim(plugin, migration.name);
    for (const { name } of contractions) assertContraction(plugin, name);
  }
  for (const { plugin, part } of others) {
    for (const table of tablesOf(part)) assertPrefix(plugin, table);
    tables.claim(plugin, historyTableOf(plugin));
  }
  return {
    entities: loaded.flatMap(({ part }) => part.entities),
    histories: [
      {
        table: OUR_HISTORY,
        plugin: null,
        migrations: ours.flatMap(({ part }) => part.migrations),
        contractions: ours.flatMap(({ part: { contractions = [] } }) => contractions),
      },
      ...others.map(({ plugin, part }): MigrationHistory => ({
        table: historyTableOf(plugin),
        plugin: plugin.name,
        migrations: part.migrations,
        contractions: part.contractions ?? [],
      })),
    ],
  };
}

/** TypeORM's default name. */
const OUR_HISTORY = 'migrations';

export function tablesOf({ entities }: Schema): string[] {
  return entities.map((entity) => tableOf(entity).toLowerCase());
}

function historyTableOf(plugin: ZonewrightPlugin): string {
  return `${prefixOf(plugin)}migrations`;
}

/** Other releases recognize a contraction by its name. */
function assertContraction(plugin: ZonewrightPlugin, name: string): void {
  if (kindOf(name) !== 'contraction') throw refusal(plugin, `the contraction ${name}: its name begins with Contract`);
}

function assertPrefix(plugin: ZonewrightPlugin, table: string): void {
  const prefix = prefixOf(plugin);
  if (!table.startsWith(prefix)) throw refusal(plugin, `the table ${table}: its tables begin with ${prefix}`);
}
