import { DefaultNamingStrategy, getMetadataArgsStorage } from 'typeorm';
import { hasBaselineSchema, preReleaseRefusal } from './pre-release.js';
import type { EntityClass } from './schema.js';

export interface SchemaState {
  readonly done: number;
  readonly pending: readonly NamedMigration[];
  /** Contractions, which run only at the operator's request. */
  readonly left: readonly NamedMigration[];
  /** Expansions of a later release, which this release tolerates. */
  readonly ahead: readonly NamedMigration[];
  /** Migrations of another release of the service, or of an installed plugin. */
  readonly unknown: readonly NamedMigration[];
  /** Migrations from before 1.0.0, which the baseline replaces. */
  readonly preRelease: readonly string[];
}

export interface NamedMigration {
  readonly name: string;
  /** `null` for the service. */
  readonly plugin: string | null;
}

/** One line with a fix; `null` if this release can use the database. */
export function schemaRefusal(state: SchemaState): string | null {
  const { done, pending } = state;
  const refusal = foreignRefusal(state);
  if (refusal !== null) return refusal;
  if (pending.length === 0) return null;
  if (done === 0) return 'there is no schema: run "zonewright migrate" if this is the right database';
  const missing = pending.length === 1 ? '1 migration is missing' : `${pending.length} migrations are missing`;
  const beside = pending.every(({ name }) => kindOf(name) === 'expansion')
    ? 'the release before goes on beside them'
    : 'no older release can work beside them';
  return `the schema is not up to date: run "zonewright migrate" (${missing}; ${beside})`;
}

export function schemaNotes({ ahead, left }: SchemaState): string[] {
  const notes = [];
  if (ahead.length > 0) notes.push(`a later release has run ${describeMigrations(ahead)}, beside which this one works`);
  if (left.length > 0)
    notes.push(
      `${describeMigrations(left)} can be run by "zonewright migrate --contract" once no earlier release is at work`,
    );
  return notes;
}

/** @throws Error for a schema that this release can neither use nor migrate */
export function assertKnown(state: SchemaState): void {
  const refusal = foreignRefusal(state);
  if (refusal !== null) throw new Error(refusal);
}

function foreignRefusal({ unknown, preRelease }: SchemaState): string | null {
  if (unknown.length > 0) return refusalOfUnknown(unknown);
  return preRelease.length === 0 || hasBaselineSchema(preRelease) ? null : preReleaseRefusal(preRelease);
}

export function describeMigration({ name, plugin }: NamedMigration): string {
  return plugin === null ? name : `${name} of the plugin ${plugin}`;
}

const MOST_NAMED = 3;

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

/**
 * The name of a migration tells other releases its effect: `Expand…` keeps all that they need; `Contract…` removes
 * something that only they need. Any other migration may do both.
 */
export type MigrationKind = 'expansion' | 'contraction' | 'change';

const EXPANSION = /^Expand[A-Z]/;
const CONTRACTION = /^Contract[A-Z]/;

export function kindOf(name: string): MigrationKind {
  if (EXPANSION.test(name)) return 'expansion';
  return CONTRACTION.test(name) ? 'contraction' : 'change';
}

export function tableOf(entity: EntityClass): string {
  const declared = getMetadataArgsStorage().tables.find(({ target }) => target === entity);
  return new DefaultNamingStrategy().tableName(entity.name, declared?.name);
}
