import type { DataSourceOptions } from 'typeorm';
import type pg from 'pg';
import { Broadcast } from '../broadcast.js';
import { beginSession, CLIENT_KEEPALIVE } from './postgres-session.js';
import { ServerClient, ServerSearch } from './server-client.js';

const CHANNEL = 'zonewright';
const LISTEN = `LISTEN ${CHANNEL}`;
/** In milliseconds. */
const RETRY = 1000;
/** In milliseconds. Without a ping, a dead server looks like an idle one. */
const PING_INTERVAL = 10_000;
const TIME_LIMIT = 5000;
const beginListening = beginSession({ lockTimeout: TIME_LIMIT, statementTimeout: TIME_LIMIT, idleTimeout: TIME_LIMIT });

/** Uses LISTEN and NOTIFY on a separate connection, opened by the first listener. */
export class PostgresBroadcast extends Broadcast {
  private client: pg.Client | null = null;
  private asking: Promise<void> = Promise.resolve();
  private isReady = false;
  private wasLost = false;
  private isOpen = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  private pingTimer: NodeJS.Timeout | undefined;
  private readonly search: ServerSearch | null;

  constructor(private readonly options: DataSourceOptions & { readonly type: 'postgres' }) {
    super();
    // A standby cannot notify.
    this.search = ServerSearch.among(options.url ?? '', 'primary');
  }

  override send(topic: string, text: string): void {
    if (this.isReady) this.ask('SELECT pg_notify($1, $2)', [CHANNEL, `${topic}:${text}`]);
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearInterval(this.pingTimer);
    const timeLimit = new Promise<void>((resolve) => setTimeout(resolve, TIME_LIMIT).unref());
    await Promise.race([this.client?.end().catch(() => undefined), timeLimit]);
  }

  protected override open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    void this.connect();
    // As ping: a standby refuses LISTEN.
    this.pingTimer = setInterval(() => this.ask(LISTEN, []), PING_INTERVAL).unref();
  }

  private async connect(): Promise<void> {
    const { url = '', connectTimeoutMS = 5000, applicationName = '' } = this.options;
    const client = new ServerClient({
      search: this.search,
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: connectTimeoutMS,
      keepAlive: true,
      keepAliveInitialDelayMillis: CLIENT_KEEPALIVE,
      query_timeout: TIME_LIMIT,
    });
    this.client = client;
    let ownSession = -1;
    client.on('notification', ({ processId, payload = '' }) => {
      if (processId !== ownSession) this.hear(payload);
    });
    client.on('error', () => this.lose(client));
    client.on('end', () => this.lose(client));
    try {
      await client.connect();
      await beginListening(client);
      const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
      ownSession = rows[0]?.id ?? -1;
      await client.query(LISTEN);
      this.isReady = this.client === client;
      if (!this.isReady || !this.wasLost) return;
      this.wasLost = false;
      this.recordBack();
    } catch {
      this.lose(client);
    }
  }

  /** Any error makes the connection unusable. */
  private ask(text: string, values: readonly string[]): void {
    this.asking = this.asking.then(async () => {
      const { client } = this;
      if (client === null || !this.isReady) return;
      await client.query(text, [...values]).catch(() => this.lose(client));
    });
  }

  /** Messages are lost until the reconnect. */
  private lose(client: pg.Client): void {
    if (this.client !== client) return;
    this.client = null;
    this.wasLost ||= this.isReady;
    this.isReady = false;
    client.end().catch(() => undefined);
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.connect(), RETRY);
  }
}
