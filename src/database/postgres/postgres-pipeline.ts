import type { PostgresClient, PostgresQuery, PostgresResult } from './postgres-client.js';

type Sent = string | (PostgresQuery & { readonly values: readonly unknown[] });

/**
 * What an open transaction has sent on its connection and does not wait for, BEGIN and writes: it goes along with the next
 * statement, in one round trip. Whoever asks next hears of its failure, COMMIT at the latest. So that nobody sends faster
 * than the server writes, two writes are under way at most.
 */
export class Pipeline {
  private static readonly open = new WeakMap<PostgresClient, Pipeline>();

  /** Resolves to the first failure of what is not waited for. */
  private ahead: Promise<Failure | null> = Promise.resolve(null);
  /** The same of what was sent before the latest write. */
  private beforeWrite = this.ahead;

  private constructor(private readonly client: PostgresClient) {}

  /** @param client one in pg's pipeline mode */
  static begin(client: PostgresClient, statements: readonly Sent[]): Pipeline {
    const pipeline = new Pipeline(client);
    Pipeline.open.set(client, pipeline);
    for (const statement of statements) pipeline.send(statement);
    return pipeline;
  }

  /** That of the transaction that is open on the connection; `null` where there is none, as in a read. */
  static on(client: PostgresClient): Pipeline | null {
    return Pipeline.open.get(client) ?? null;
  }

  end(): void {
    Pipeline.open.delete(this.client);
  }

  /** Sends it without waiting for its answer. */
  send(statement: Sent): void {
    const sent = failureOf(this.query(statement));
    const before = this.ahead;
    this.ahead = before.then(async (failure) => failure ?? (await sent));
  }

  /** Sends it, and waits for the answer. */
  async ask(statement: Sent): Promise<PostgresResult> {
    const answer = this.query(statement);
    // What was sent before it has failed first, and is what it fails for.
    answer.catch(() => undefined);
    await this.arrived();
    return answer;
  }

  /** The same, and waits for no more than what was sent before the write before it. */
  async write(statement: Sent): Promise<void> {
    assertNone(await this.beforeWrite);
    this.beforeWrite = this.ahead;
    this.send(statement);
  }

  /** @throws what the first of what was sent has failed for */
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
