import type { ServerResponse } from 'node:http';
import type { SearchClient } from '../common/waiting/search-turns.js';
import { goneOf } from './decorators.js';
import type { ApiRequest } from './request.js';

/** For whom something is searched; without a credential nobody asks for a list of ours, and those of plugins wait together. */
export function searchClientOf({ caller, res }: ApiRequest): SearchClient {
  return new RequestSearchClient(caller?.tenantId ?? '', res);
}

/** Most lists are pages that are read at once, and a signal that nobody asks for would cost one of 20 records a twentieth. */
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
