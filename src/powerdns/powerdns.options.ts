import { inSection, type ValuesOf } from '../config/option.js';
import { boolean, integer, size } from '../config/readers.js';

export const POWERDNS_OPTIONS = inSection('service:powerdns', {
  enabled: {
    name: 'enabled',
    default: 'False',
    reader: boolean,
    meaning: "offer PowerDNS's HTTP API under /api, on the address of the API",
  },
  maxRrsets: {
    name: 'max_rrsets',
    default: '5000',
    reader: integer(1, 100_000),
    meaning: 'record sets in one request of it; more are answered 422',
  },
  maxBodySize: {
    name: 'max_body_size',
    default: '4 MiB',
    reader: size,
    meaning: 'largest body of its requests, in place of that of [service:api]; a larger one is answered 413',
  },
});

/** What the adapter needs of the configuration. */
export abstract class PowerDnsOptions implements Pick<ValuesOf<typeof POWERDNS_OPTIONS>, 'maxRrsets'> {
  abstract readonly maxRrsets: number;
}
