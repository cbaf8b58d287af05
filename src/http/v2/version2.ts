import type { ApiInterface } from '../api-interface.js';
import { HttpError } from '../errors/http-error.js';
import { V2_REFUSALS } from './refusals.js';
import { parsePrivilegeHeaders } from './privilege-headers.js';

export const VERSION_2: ApiInterface = {
  refusals: V2_REFUSALS,
  bodyRefusals: {
    empty: (message) => new HttpError('empty_request_body', message),
    notJson: (message) => new HttpError('invalid_json', message),
    notObject: (message) => new HttpError('bad_request', message),
  },
  parsePrivilegeHeaders,
};
