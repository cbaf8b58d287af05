/** Types of server.js, which is not TypeScript because jest starts it before translating any. */
export interface PostgresServer {
  /** As a superuser. */
  readonly url: string;
  /** Restarts a stopped server. */
  start(): Promise<void>;
  /** `SIGINT` shuts down, `SIGQUIT` shuts down immediately. Resolves at exit. */
  signal(name: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Deletes a running server. */
  remove(): Promise<void>;
}

export function startPostgresServer(): Promise<PostgresServer>;
