import { listenAddress } from '../../config/address-readers.js';
import { inSection } from '../../config/option.js';
import { orEmpty } from '../../config/readers.js';

export const METRICS_OPTIONS = inSection('metrics', {
  listen: {
    name: 'listen',
    default: '',
    reader: orEmpty(null, listenAddress),
    meaning: 'address and port of its own for /metrics, without a credential; empty: on the API, for admins',
  },
});
