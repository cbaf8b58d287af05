import type { EntityManager, QueryRunner } from 'typeorm';

/** What we use of pg's client, on which TypeORM's runner sits: named statements stay prepared. */
export interface PostgresClient {
  query(query: string | (NamedQuery & { readonly values: readonly unknown[] })): Promise<PostgresResult>;
}

export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

export interface PostgresResult {
  /** `SELECT`, `COMMIT`, … as the server names what it has done. */
  readonly command: string;
  readonly rows: readonly unknown[];
}

/** The client of the transaction or read that `manager` stands for. */
export function postgresClientOf({ queryRunner }: EntityManager): Promise<PostgresClient> {
  if (queryRunner === undefined) throw new Error('this manager belongs to no unit of work and to no read');
  return clientOf(queryRunner);
}

export function clientOf(runner: QueryRunner): Promise<PostgresClient> {
  // TypeORM does not know the type of what its drivers connect to.
  return runner.connect() as Promise<PostgresClient>;
}
