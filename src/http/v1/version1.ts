import type { ApiInterface } from '../api-interface.js';
import { invalidBody } from '../bodies/body-refusals.js';
import { V1_REFUSALS } from './errors.js';
import { parsePrivilegeHeaders } from './privilege-headers.js';

export const VERSION_1: ApiInterface = {
  refusals: V1_REFUSALS,
  bodyRefusals: { empty: invalidBody, notJson: invalidBody, notObject: invalidBody },
  parsePrivilegeHeaders,
};
