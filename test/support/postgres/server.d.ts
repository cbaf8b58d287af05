/** What server.js hands to tests; it is no TypeScript because jest starts it before it translates any. */
export interface PostgresServer {
  /** As a superuser. */
  readonly url: string;
  /** Once more, after it was stopped. */
  start(): Promise<void>;
  /** `SIGINT` shuts it down, `SIGQUIT` lets it drop everything at once. Resolves when it has ended. */
  signal(name: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Of a server that runs. */
  remove(): Promise<void>;
}

export function startPostgresServer(): Promise<PostgresServer>;
