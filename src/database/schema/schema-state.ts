import { kindOf } from './migration-kind.js';

/** How the schema of a database differs from the one that this release works with. */
export interface SchemaState {
  /** How many migrations have been run. */
  readonly done: number;
  /** Still to be run. */
  readonly pending: readonly NamedMigration[];
  /** Not run, and not needed: contractions that an operator asks for. */
  readonly left: readonly NamedMigration[];
  /** Expansions of a later release, which this one works beside. */
  readonly ahead: readonly NamedMigration[];
  /** Run by another release, of the service or of a plugin that is here. */
  readonly unknown: readonly NamedMigration[];
}

export interface NamedMigration {
  readonly name: string;
  /** `null` for one of the service. */
  readonly plugin: string | null;
}

/** Why nothing may work on such a database, and the way out; `null` when it may. */
export function schemaRefusal({ done, pending, unknown }: SchemaState): string | null {
  if (unknown.length > 0) return refusalOfUnknown(unknown);
  if (pending.length === 0) return null;
  if (done === 0) return 'there is no schema: run "zonewright migrate" if this is the right database';
  const missing = pending.length === 1 ? '1 migration is missing' : `${pending.length} migrations are missing`;
  const beside = pending.every(({ name }) => kindOf(name) === 'expansion')
    ? 'the release before goes on beside them'
    : 'no older release can work beside them';
  return `the schema is not up to date: run "zonewright migrate" (${missing}; ${beside})`;
}

/** What is worth knowing of a schema that this release works on. */
export function schemaNotes({ ahead, left }: SchemaState): string[] {
  const notes = [];
  if (ahead.length > 0) notes.push(`a later release has run ${describeMigrations(ahead)}, beside which this one works`);
  if (left.length > 0)
    notes.push(
      `${describeMigrations(left)} can be run by "zonewright migrate --contract" once no earlier release is at work`,
    );
  return notes;
}

/** @throws Error for what another release has run */
export function assertKnown({ unknown }: SchemaState): void {
  if (unknown.length > 0) throw new Error(refusalOfUnknown(unknown));
}

/** `CreateInspections1764000000000 of the plugin acme` */
export function describeMigration({ name, plugin }: NamedMigration): string {
  return plugin === null ? name : `${name} of the plugin ${plugin}`;
}

const MOST_NAMED = 3;

/** The first few by their names, and how many more there are. */
function describeMigrations(migrations: readonly NamedMigration[]): string {
  const names = migrations.slice(0, MOST_NAMED).map(describeMigration);
  if (migrations.length > MOST_NAMED) names.push(`${migrations.length - MOST_NAMED} more`);
  return names.join(', ');
}

function refusalOfUnknown(unknown: readonly NamedMigration[]): string {
  const known = 'this one does not know';
  return (
    `another release has changed the schema, and ${known} ${describeMigrations(unknown)}:` +
    ' run that release, or put back a backup from before'
  );
}
