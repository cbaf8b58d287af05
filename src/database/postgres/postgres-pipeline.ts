import type { PostgresClient, PostgresQuery, PostgresResult } from './postgres-client.js';

type Sent = string | (PostgresQuery & { readonly values: readonly unknown[] });

/**
 * Sends BEGIN and writes without waiting, in one round trip with the next statement, which reports their failures.
 * Allows two writes in flight, so that the client does not outrun the server.
 */
export class Pipeline {
  private static readonly open = new WeakMap<PostgresClient, Pipeline>();

  /** The first failure of the statements in flight. */
  private ahead: Promise<Failure | null> = Promise.resolve(null);
  /** `ahead` as it was before the latest write. */
  private beforeWrite = this.ahead;

  private constructor(private readonly client: PostgresClient) {}

  /** @param client one in pg's pipeline mode */
  static begin(client: PostgresClient, statements: readonly Sent[]): Pipeline {
    const pipeline = new Pipeline(client);
    Pipeline.open.set(client, pipeline);
    for (const statement of statements) pipeline.send(statement);
    return pipeline;
  }

  /** `null` without a transaction, as in a read. */
  static on(client: PostgresClient): Pipeline | null {
    return Pipeline.open.get(client) ?? null;
  }

  end(): void {
    Pipeline.open.delete(this.client);
  }

  /** Does not wait for the answer. */
  send(statement: Sent): void {
    const sent = failureOf(this.query(statement));
    const before = this.ahead;
    this.ahead = before.then(async (failure) => failure ?? (await sent));
  }

  async ask(statement: Sent): Promise<PostgresResult> {
    const answer = this.query(statement);
    // An earlier statement is the cause.
    answer.catch(() => undefined);
    await this.arrived();
    return answer;
  }

  /** Waits only for the statements before the previous write. */
  async write(statement: Sent): Promise<void> {
    assertNone(await this.beforeWrite);
    this.beforeWrite = this.ahead;
    this.send(statement);
  }

  /** @throws the error of the first statement that failed */
  async arrived(): Promise<void> {
    assertNone(await this.ahead);
  }

  private query(statement: Sent): Promise<PostgresResult> {
    this.client.holdForTurn?.();
    return this.client.query(statement);
  }
}

interface Failure {
  readonly error: unknown;
}

function assertNone(failure: Failure | null): void {
  if (failure !== null) throw failure.error;
}

async function failureOf(answer: Promise<unknown>): Promise<Failure | null> {
  try {
    await answer;
    return null;
  } catch (error) {
    return { error };
  }
}
