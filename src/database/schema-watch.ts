import type { DataSource } from 'typeorm';
import { ThrottledLogger } from '../common/throttled-logger.js';
import { ServiceError } from '../common/service-error.js';
import { isMisfit } from './database-failure.js';
import { tellFailure } from './database-fault.js';
import type { Migrations } from './schema/migrate.js';
import { type SchemaState, schemaRefusal } from './schema/schema-state.js';

/** What the caller is told of a failure of the database. */
export type Explain = (error: unknown) => Error | Promise<Error>;

/** A process has one database. */
const warning = new ThrottledLogger();

/**
 * Tells failures of the database, and looks at its schema where a statement does not fit it: another release may have changed
 * it beneath this one.
 */
export function explainedBy(migrations: Migrations, dataSource: DataSource): Explain {
  return async (error) => {
    const failure = tellFailure(error);
    if (!isMisfit(error)) return failure;
    const state = await migrations.stateOf(dataSource).catch(() => null);
    const refusal = state === null ? null : schemaRefusal(state);
    if (state === null || refusal === null) return failure;
    warning.warn(`Requests are refused: ${refusal}.`);
    return misfit(state, error);
  };
}

/** The schema is that of this release. */
export function recordFit(): void {
  warning.over('The schema of the database is that of this release again.');
}

function misfit({ unknown }: SchemaState, cause: unknown): ServiceError {
  const message =
    unknown.length > 0
      ? 'The database has migrations that this release of the service does not know; the release that has run them must serve it.'
      : 'The database lacks migrations of this release of the service; they must be run.';
  const refusal = new ServiceError('unavailable', message);
  refusal.cause = cause;
  return refusal;
}
