import { inSection, option, type ValuesOf } from '../config/option.js';
import { boolean, integer, size } from '../config/readers.js';

export const POWERDNS_OPTIONS = inSection('service:powerdns', {
  enabled: option(boolean, 'False', 'serve the PowerDNS HTTP API under /api, at the address of the API'),
  maxRrsets: option(
    integer(1, 100_000),
    '5000',
    'maximum record sets in a request of the PowerDNS API; more are answered 422',
  ),
  maxBodySize: option(
    size,
    '4 MiB',
    'maximum body size of the PowerDNS API, instead of the limit in [service:api]; larger bodies are answered 413',
  ),
});

export abstract class PowerDnsOptions implements Pick<ValuesOf<typeof POWERDNS_OPTIONS>, 'maxRrsets'> {
  abstract readonly maxRrsets: number;
}
