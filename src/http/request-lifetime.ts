import type { ServerResponse } from 'node:http';
import type { Response } from 'express';
import type { HeldMemory } from '../common/request-memory.js';
import type { SearchClient } from '../common/waiting/search-turns.js';
import type { ApiRequest } from './request.js';

/** Shared, because each new DOMException captures a stack. */
const OVER = new DOMException('The answer is over.', 'AbortError');

export function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort(OVER);
  response.once('close', () => gone.abort(OVER));
  return gone.signal;
}

/** Releases memory when the response closes. */
export function untilAnswered(response: Response): (memory: HeldMemory) => void {
  return ({ release }) => {
    if (response.closed) release();
    else response.once('close', release);
  };
}

/** Public lists, which only plugins have, share one client. */
export function searchClientOf({ caller, res }: ApiRequest): SearchClient {
  return new RequestSearchClient(caller?.tenantId ?? '', res);
}

/** Creates the signal on demand: it would take 5 % of the time of a list of 20 records. */
class RequestSearchClient implements SearchClient {
  private signal: AbortSignal | undefined;

  constructor(
    readonly tenantId: string,
    private readonly response: ServerResponse | undefined,
  ) {}

  get gone(): AbortSignal | undefined {
    return (this.signal ??= this.response && goneOf(this.response));
  }
}
