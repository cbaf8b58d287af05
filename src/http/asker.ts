import type { Asker } from '../common/waiting/search-turns.js';
import { goneOf } from './decorators.js';
import type { ApiRequest } from './request.js';

/** For whom something is searched; without a credential nobody asks for a list of ours, and those of plugins wait together. */
export function askerOf(request: ApiRequest): Asker {
  const { caller, res } = request;
  return { tenantId: caller?.tenantId ?? '', gone: res && goneOf(res) };
}
