/** How the schema of a database differs from the one that this release works with. */
export interface SchemaState {
  /** How many migrations have been run. */
  readonly done: number;
  /** Still to be run. */
  readonly pending: readonly NamedMigration[];
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
  return `the schema is not up to date: run "zonewright migrate" (${missing}; no older release can work beside them)`;
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

function refusalOfUnknown(unknown: readonly NamedMigration[]): string {
  const names = unknown.slice(0, MOST_NAMED).map(describeMigration);
  if (unknown.length > MOST_NAMED) names.push(`${unknown.length - MOST_NAMED} more`);
  const known = 'this one does not know';
  return (
    `another release has changed the schema, and ${known} ${names.join(', ')}:` +
    ' run that release, or put back a backup from before'
  );
}
