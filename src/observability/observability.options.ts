import { listenAddress } from '../config/address-readers.js';
import { inSection, option } from '../config/option.js';
import { oneOf, orEmpty } from '../config/readers.js';

export const LOG_OPTIONS = inSection('log', {
  level: option(
    oneOf('error', 'warn', 'info', 'debug'),
    'warn',
    'the least that is logged; from info on there is a line for each request',
  ),
  format: option(
    oneOf('auto', 'json', 'pretty'),
    'auto',
    'lines of JSON, or pretty ones for people; auto: pretty on a terminal, otherwise JSON',
  ),
});

export const METRICS_OPTIONS = inSection('metrics', {
  listen: option(
    orEmpty(null, listenAddress),
    '',
    'address and port of its own for /metrics, without a credential; empty: on the API, for admins',
  ),
});
