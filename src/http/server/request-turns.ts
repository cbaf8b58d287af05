import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { ServiceError } from '../../common/service-error.js';
import { clientOfAddress } from '../../common/network/network.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import type { Release } from '../../common/waiting/limiter.js';

export interface RequestBounds {
  readonly connections: number;
  readonly requests: number;
  readonly requestsPerAddress: number;
  readonly pipelined: number;
  /** Seconds in which the client must read something. */
  readonly readTimeout: number;
}

const TIME_LIMIT = 10_000;
/** Monitoring paths never wait for a slot, only for the previous response of their connection. */
const HEALTH = /^\/(healthz|readyz|healthcheck)\/?(\?|$)/i;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

interface Connection {
  readonly client: string;
  isBusy: boolean;
  release: Release | null;
  readonly behind: Waiting[];
}

/**
 * Node emits all pipelined requests of a 64 KiB piece together. Here each waits until the kernel has the whole previous
 * answer, which bounds the memory of unread answers (behaviour 1.9).
 */
export class RequestTurns {
  private readonly connections = new WeakMap<Socket, Connection>();
  private readonly slots: FairLimiter;
  private readonly tooLate = new Set<IncomingMessage>();

  /** @param clientOf `null` without trusted proxies @param shutOut closes a connection with too many requests */
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

  /** Calls `begin` when it is the request's turn. Never calls it if the connection ends first. */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const { socket } = request;
    if (socket.destroyed) return;
    const connection = this.connectionOf(socket);
    const waiting = { request, response, begin };
    if (connection.isBusy) this.line(connection, waiting);
    else this.start(connection, waiting);
  }

  isBusy(socket: Socket): boolean {
    return this.connections.get(socket)?.isBusy ?? false;
  }

  /** Releases the slot of a long-lasting answer that needs little work. */
  releaseSlot({ socket }: IncomingMessage): void {
    this.connections.get(socket)?.release?.();
  }

  /** Refuses a request that has waited too long. Its turn began only for this. */
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
    // The kernel buffers the rest, not our process.
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
    // RFC 9112 §9.6: ignore requests after an answer with `Connection: close`.
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
