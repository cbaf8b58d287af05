import { listenAddress } from '../config/address-readers.js';
import { inSection } from '../config/option.js';
import { oneOf, orEmpty } from '../config/readers.js';

export const LOG_OPTIONS = inSection('log', {
  level: {
    name: 'level',
    default: 'warn',
    reader: oneOf('error', 'warn', 'info', 'debug'),
    meaning: 'the least that is logged; from info on there is a line for each request',
  },
  format: {
    name: 'format',
    default: 'auto',
    reader: oneOf('auto', 'json', 'pretty'),
    meaning: 'lines of JSON, or pretty ones for people; auto: pretty on a terminal, otherwise JSON',
  },
});

export const METRICS_OPTIONS = inSection('metrics', {
  listen: {
    name: 'listen',
    default: '',
    reader: orEmpty(null, listenAddress),
    meaning: 'address and port of its own for /metrics, without a credential; empty: on the API, for admins',
  },
});
