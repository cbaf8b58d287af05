import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '../database-open-error.js';
import { parseServerList, type ServerAddress, type SessionAttributes, writeAddress } from './server-list.js';

/** What a server says of a session with it. */
export interface ServerState {
  readonly isStandby: boolean;
  /** By its own default, or because it is a standby. */
  readonly isReadOnly: boolean;
}

/**
 * Asks a server what it is, in so many milliseconds.
 * @throws Refusal where the server does not let us in; any other error where it cannot be asked
 */
export type AskServer = (server: ServerAddress, timeLimit: number) => Promise<ServerState>;

/** A server does not let us in, for which the others are not tried. Its cause is what the server has said. */
export class Refusal extends Error {}

/** In milliseconds; less than a connection is waited for, so that it is known why there is none. */
const TIME_LIMIT = 4000;
/** So long a server is asked alone. After that the next one is asked as well. */
const HEAD_START = 250;

type Accepts = (state: ServerState) => boolean;

/** What is looked for, and what is taken where there is no such server. */
const WANTED: Readonly<Record<SessionAttributes, readonly Accepts[]>> = {
  any: [() => true],
  primary: [({ isStandby }) => !isStandby],
  standby: [({ isStandby }) => isStandby],
  'prefer-standby': [({ isStandby }) => isStandby, () => true],
  'read-write': [({ isReadOnly }) => !isReadOnly],
  'read-only': [({ isReadOnly }) => isReadOnly],
};

/** Finds the server of a URL that a connection leads to. */
export class ServerSearch {
  private underWay: Promise<ServerAddress> | null = null;

  private constructor(
    /** For pg, which is told the server beside it. */
    readonly url: string,
    private readonly servers: readonly ServerAddress[],
    private readonly attributes: SessionAttributes,
  ) {}

  /**
   * `null` where there is nothing to look for: one server, whatever it is.
   * @param unsaid what is meant by a URL of several servers that does not say it
   */
  static among(url: string, unsaid: SessionAttributes): ServerSearch | null {
    const { servers, attributes, urlOfFirst } = parseServerList(url);
    const wanted = attributes ?? (servers.length > 1 ? unsaid : 'any');
    if (servers.length < 2 && wanted === 'any') return null;
    return new ServerSearch(urlOfFirst, servers, wanted);
  }

  /**
   * Connections that are made at the same time share it.
   * @throws NoServerFound, or what a server refuses us with
   */
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
      // Each of them is one that `judged` has thrown.
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

/** A server that is not what is looked for, or does not answer. */
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

/** It has the codes of SQLSTATE by which others are told apart: none can be reached, or none may be written. */
class NoServerFound extends Error {
  readonly code: string;

  constructor(attributes: SessionAttributes, missed: readonly Missed[]) {
    super(`${NONE[attributes]}: ${missed.map(({ message }) => message).join(', ')}`);
    this.code = missed.some(({ hasAnswered }) => hasAnswered) ? '25006' : '08001';
  }
}
