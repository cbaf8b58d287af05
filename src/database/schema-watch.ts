import type { DataSource } from 'typeorm';
import { ThrottledLogger } from '../common/throttled-logger.js';
import { ServiceError } from '../common/service-error.js';
import { isMisfit, tellFailure } from './database-failure.js';
import type { Migrations } from './schema/migrate.js';
import { type SchemaState, schemaRefusal } from './schema/schema-state.js';

export type Explain = (error: unknown) => Error | Promise<Error>;

const warning = new ThrottledLogger();

/** Checks the schema if a statement does not fit: another release may have migrated it. */
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
