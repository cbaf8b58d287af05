import pg from 'pg';
import { type ServerAddress, parseServerList, type SessionAttributes, writeAddress } from './server-list.js';
import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../database-failure.js';

export interface ServerClientOptions extends pg.ClientConfig {
  /** `null` for one server of any kind. */
  readonly search: ServerSearch | null;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** Selects a server of the URL, then connects; pg itself supports one server only. */
export class ServerClient extends pg.Client {
  private hasEnded = false;
  private readonly findServer: () => Promise<ServerAddress | null>;

  constructor(options: ServerClientOptions) {
    super(configOf(options));
    // Keeps the password out of printable properties.
    this.findServer = async () => options.search?.find((server, limit) => ask(options, server, limit)) ?? null;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    const connected = this.findAndConnect();
    if (callback === undefined) return connected;
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
    // The caller gave up during the search.
    if (this.hasEnded) throw new Error('Connection terminated');
    return super.connect();
  }
}

/** pg cannot read a list of servers. */
function configOf({ search, ...options }: ServerClientOptions): pg.ClientConfig {
  return search === null ? options : { ...options, connectionString: search.url };
}

const STATE =
  'SELECT pg_is_in_recovery() AS "isStandby", current_setting(\'transaction_read_only\')::boolean AS "isReadOnly"';

async function ask(options: ServerClientOptions, server: ServerAddress, timeLimit: number): Promise<ServerState> {
  const deadline = performance.now() + timeLimit;
  const client = new pg.Client({ ...configOf(options), connectionTimeoutMillis: timeLimit });
  Object.assign(client, server);
  // The pending query reports the error.
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

/** The server is starting or stopping. */
const CANNOT_CONNECT_NOW = '57P03';

/** For `Pipeline`. */
export class PipelinedClient extends ServerClient {
  constructor(options: ServerClientOptions) {
    super({ ...options, pipeline: true });
  }

  /** Sends the statements of this turn in one write, which wakes the server once. */
  holdForTurn(): void {
    const { stream } = this.connection;
    if (stream.writableCorked > 0) return;
    stream.cork();
    setImmediate(() => stream.uncork());
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // In pipeline mode, pg waits for all answers, which may never come.
    Object.assign(this, { pipeline: false });
    return callback === undefined ? super.end() : super.end(callback);
  }
}

export interface ServerState {
  readonly isStandby: boolean;
  /** By its own default, or because it is a standby. */
  readonly isReadOnly: boolean;
}

/** `timeLimit` is in milliseconds. @throws Refusal if the server rejects the login */
export type AskServer = (server: ServerAddress, timeLimit: number) => Promise<ServerState>;

/** The server rejects the login, so the others are not tried. */
export class Refusal extends Error {}

/** In milliseconds; shorter than the wait for a connection, so that the cause is known. */
const TIME_LIMIT = 4000;
/** Milliseconds before the next server is asked in parallel. */
const HEAD_START = 250;

type Accepts = (state: ServerState) => boolean;

/** In order of preference. */
const WANTED: Readonly<Record<SessionAttributes, readonly Accepts[]>> = {
  any: [() => true],
  primary: [({ isStandby }) => !isStandby],
  standby: [({ isStandby }) => isStandby],
  'prefer-standby': [({ isStandby }) => isStandby, () => true],
  'read-write': [({ isReadOnly }) => !isReadOnly],
  'read-only': [({ isReadOnly }) => isReadOnly],
};

export class ServerSearch {
  private underWay: Promise<ServerAddress> | null = null;

  private constructor(
    readonly url: string,
    private readonly servers: readonly ServerAddress[],
    private readonly attributes: SessionAttributes,
  ) {}

  /** `null` for one server of any kind. @param unsaid the default for several servers */
  static among(url: string, unsaid: SessionAttributes): ServerSearch | null {
    const { servers, attributes, urlOfFirst } = parseServerList(url);
    const wanted = attributes ?? (servers.length > 1 ? unsaid : 'any');
    if (servers.length < 2 && wanted === 'any') return null;
    return new ServerSearch(urlOfFirst, servers, wanted);
  }

  /** Concurrent connections share one search. @throws NoServerFound, Refusal */
  find(ask: AskServer): Promise<ServerAddress> {
    this.underWay ??= this.search(ask).finally(() => (this.underWay = null));
    return this.underWay;
  }

  private async search(ask: AskServer): Promise<ServerAddress> {
    const wanted = WANTED[this.attributes];
    const missed: Missed[] = [];
    for (const accepts of wanted) {
      const found = await this.firstThat(accepts, ask, TIME_LIMIT / wanted.length);
      if (!(found instanceof AggregateError)) return found;
      missed.splice(0, Infinity, ...(found.errors as Missed[]));
    }
    throw new NoServerFound(this.attributes, missed);
  }

  private async firstThat(
    accepts: Accepts,
    ask: AskServer,
    timeLimit: number,
  ): Promise<ServerAddress | AggregateError> {
    const deadline = performance.now() + timeLimit;
    const asked: Promise<ServerAddress | Refusal>[] = [];
    for (const server of this.servers) {
      asked.push(judged(server, accepts, ask(server, Math.max(1, deadline - performance.now()))));
      const found = await Promise.race([first(asked), delay(HEAD_START, null, { ref: false })]);
      if (found !== null && !(found instanceof AggregateError)) return admitted(found);
    }
    const found = await first(asked);
    return found instanceof AggregateError ? found : admitted(found);
  }
}

/** A server of the wrong kind, or without an answer. */
class Missed extends Error {
  constructor(
    server: ServerAddress,
    readonly hasAnswered: boolean,
    reason: string,
  ) {
    super(`${writeAddress(server)} ${reason}`);
  }
}

async function judged(
  server: ServerAddress,
  accepts: Accepts,
  answer: Promise<ServerState>,
): Promise<ServerAddress | Refusal> {
  const state = await answer.catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw new Missed(server, false, `cannot be asked (${reasonOf(error)})`);
  });
  if (state instanceof Refusal) return state;
  if (accepts(state)) return server;
  throw new Missed(server, true, `is ${described(state)}`);
}

function described({ isStandby, isReadOnly }: ServerState): string {
  if (isStandby) return 'a standby';
  return isReadOnly ? 'a primary that is read-only' : 'a primary';
}

async function first<T>(asked: readonly Promise<T>[]): Promise<T | AggregateError> {
  return Promise.any(asked).catch((error: unknown) => error as AggregateError);
}

function admitted(found: ServerAddress | Refusal): ServerAddress {
  if (found instanceof Refusal) throw found.cause;
  return found;
}

const NONE: Readonly<Record<SessionAttributes, string>> = {
  any: 'no server of the URL answers',
  primary: 'no server of the URL is a primary',
  standby: 'no server of the URL is a standby',
  'prefer-standby': 'no server of the URL answers',
  'read-write': 'no server of the URL can be written to',
  'read-only': 'no server of the URL is read-only',
};

/** Callers decide by SQLSTATE: no server is reachable, or none is writable. */
class NoServerFound extends Error {
  readonly code: string;

  constructor(attributes: SessionAttributes, missed: readonly Missed[]) {
    super(`${NONE[attributes]}: ${missed.map(({ message }) => message).join(', ')}`);
    this.code = missed.some(({ hasAnswered }) => hasAnswered) ? '25006' : '08001';
  }
}
