import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { ServiceError } from '../../common/service-error.js';
import { clientOfAddress } from '../../common/network/client-address.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import type { Release } from '../../common/waiting/limiter.js';

/** How much may be under way at the same time in one process. */
export interface RequestBounds {
  /** Connections of all clients together. */
  readonly connections: number;
  /** Requests of all clients together. */
  readonly requests: number;
  /** Requests of one address. */
  readonly requestsPerAddress: number;
  /** Requests that wait on one connection for the answer before them. */
  readonly pipelined: number;
  /** Seconds in which an answer that waits for its reader has to get on. */
  readonly readTimeout: number;
}

/** How long a request waits for a slot, in milliseconds. */
const TIME_LIMIT = 10_000;
/** They are how an operator sees what is going on: nobody keeps them waiting but the answer before them. */
const HEALTH = /^\/(healthz|readyz|healthcheck)\/?(\?|$)/i;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

interface Connection {
  /** Who is at its other end. */
  readonly client: string;
  isBusy: boolean;
  /** Gives back the slot of the request that is under way; `null` where it has none. */
  release: Release | null;
  /** Pipelined requests behind the one that is under way. */
  readonly behind: Waiting[];
}

/**
 * Decides when a request begins. Node hands over all pipelined requests of a piece of 64 KiB at once; here one of them is
 * under way on a connection until the kernel has taken all of its answer, so that what an unread answer holds is bounded
 * (behaviour 1.9).
 */
export class RequestTurns {
  private readonly connections = new WeakMap<Socket, Connection>();
  private readonly slots: FairLimiter;
  private readonly tooLate = new Set<IncomingMessage>();

  /**
   * @param clientOf tells the address of a client behind a proxy; `null` where no proxy is trusted
   * @param shutOut is told of a connection with too many requests, which is closed
   */
  constructor(
    private readonly bounds: RequestBounds,
    private readonly clientOf: ((request: IncomingMessage) => string | undefined) | null,
    private readonly shutOut: (socket: Socket) => void,
  ) {
    const { requests, requestsPerAddress } = bounds;
    this.slots = new FairLimiter({
      things: 'requests',
      inAll: requests,
      perKey: requestsPerAddress,
      timeLimit: TIME_LIMIT,
    });
  }

  /** Calls `begin` when it is the request's turn, or never where its connection ends before. */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const connection = this.connectionOf(socket);
    const waiting = { request, response, begin };
    if (connection.isBusy) this.line(connection, waiting);
    else this.start(connection, waiting);
  }

  /** Whether a request is under way on a connection, or waits for a slot. */
  isBusy(socket: Socket): boolean {
    return this.connections.get(socket)?.isBusy ?? false;
  }

  /** Lets others begin although this answer goes on: it takes hardly anything, and lasts for as long as somebody reads it. */
  releaseSlot({ socket }: IncomingMessage): void {
    this.connections.get(socket)?.release?.();
  }

  /** Refuses a request that has waited for a slot too long; it has begun only to be refused. */
  readonly refuseTooLate = (request: Request, _: Response, next: NextFunction): void => {
    if (!this.tooLate.delete(request)) return next();
    next(
      new ServiceError(
        'unavailable',
        `The request waited ${TIME_LIMIT / 1000} seconds for a free slot and was given up. Try again, or send fewer requests at once.`,
      ),
    );
  };

  private connectionOf(socket: Socket): Connection {
    let connection = this.connections.get(socket);
    if (connection === undefined) {
      connection = { client: clientOfAddress(socket.remoteAddress ?? ''), isBusy: false, release: null, behind: [] };
      this.connections.set(socket, connection);
    }
    return connection;
  }

  private line({ behind }: Connection, waiting: Waiting): void {
    const { socket } = waiting.request;
    behind.push(waiting);
    // What the kernel keeps for us takes none of our memory.
    socket.pause();
    if (behind.length <= this.bounds.pipelined) return;
    behind.length = 0;
    this.shutOut(socket);
    socket.destroy();
  }

  private start(connection: Connection, { request, response, begin }: Waiting): void {
    connection.isBusy = true;
    const release = HEALTH.test(request.url ?? '') ? beginAtOnce(begin) : this.takeSlot(connection, request, begin);
    connection.release = release;
    response.once('close', () => {
      release?.();
      // It refers to the answer, and the connection may stay open for a minute.
      connection.release = null;
      this.next(connection, request);
    });
  }

  private takeSlot({ client }: Connection, request: IncomingMessage, begin: () => void): Release {
    const forwarded = this.clientOf?.(request);
    return this.slots.enter(forwarded === undefined ? client : clientOfAddress(forwarded), (hasSlot) => {
      if (!hasSlot) this.tooLate.add(request);
      begin();
    });
  }

  private next(connection: Connection, { socket }: IncomingMessage): void {
    connection.isBusy = false;
    // RFC 9112 §9.6: what follows an answer with `Connection: close` is not processed.
    if (!socket.writable) connection.behind.length = 0;
    const waiting = connection.behind.shift();
    if (waiting === undefined) return;
    if (connection.behind.length === 0) socket.resume();
    this.start(connection, waiting);
  }
}

function beginAtOnce(begin: () => void): null {
  begin();
  return null;
}
