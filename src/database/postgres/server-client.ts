import pg from 'pg';
import type { ServerAddress } from './server-list.js';
import { Refusal, type ServerSearch, type ServerState } from './server-search.js';

export interface ServerClientOptions extends pg.ClientConfig {
  /** `null` where the URL leads to one server, whatever it is. */
  readonly search: ServerSearch | null;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** A connection to the server among those of a URL that is looked for: pg itself knows one. */
export class ServerClient extends pg.Client {
  private hasEnded = false;
  private readonly findServer: () => Promise<ServerAddress | null>;

  constructor(options: ServerClientOptions) {
    super(configOf(options));
    // The options have the password, which is kept out of what may be shown of a client.
    this.findServer = async () => options.search?.find((server, limit) => ask(options, server, limit)) ?? null;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    const connected = this.findAndConnect();
    if (callback === undefined) return connected;
    // Of its two forms, which pg's types tell apart, each is called as it wants to be.
    const tell = callback as (error: Error | null, client?: pg.Client) => void;
    connected.then((client) => tell(null, client), tell);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.hasEnded = true;
    return callback === undefined ? super.end() : super.end(callback);
  }

  private async findAndConnect(): Promise<pg.Client> {
    const server = await this.findServer();
    if (server !== null) Object.assign(this, server);
    // Whoever gave it up during the search does not hear of it any more.
    if (this.hasEnded) throw new Error('Connection terminated');
    return super.connect();
  }
}

/** @returns the options for pg, which cannot read a list of servers */
function configOf({ search, ...options }: ServerClientOptions): pg.ClientConfig {
  return search === null ? options : { ...options, connectionString: search.url };
}

const STATE =
  'SELECT pg_is_in_recovery() AS "isStandby", current_setting(\'transaction_read_only\')::boolean AS "isReadOnly"';

/** On a connection of its own, since one of pg's leads to one server. */
async function ask(options: ServerClientOptions, server: ServerAddress, timeLimit: number): Promise<ServerState> {
  const deadline = performance.now() + timeLimit;
  const client = new pg.Client({ ...configOf(options), connectionTimeoutMillis: timeLimit });
  Object.assign(client, server);
  // What breaks it is told to whoever asks on it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const query = { text: STATE, query_timeout: Math.max(1, deadline - performance.now()) };
    const { rows } = await client.query<ServerState & object>(query);
    const [state] = rows as [ServerState];
    return state;
  } catch (error) {
    throw error instanceof pg.DatabaseError && error.code !== CANNOT_CONNECT_NOW
      ? new Refusal('', { cause: error })
      : error;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** Of a server that is starting or stopping. */
const CANNOT_CONNECT_NOW = '57P03';
