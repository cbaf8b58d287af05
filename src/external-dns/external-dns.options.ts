import { inSection, option, type ValuesOf } from '../config/option.js';
import { boolean, integer, size } from '../config/readers.js';

export const EXTERNAL_DNS_OPTIONS = inSection('service:external_dns', {
  enabled: option(
    boolean,
    'False',
    'serve a webhook provider of external-dns under /external-dns, at the address of the API',
  ),
  maxEndpoints: option(
    integer(1, 100_000),
    '5000',
    'maximum endpoints in the changes of one run of external-dns; more are answered 413',
  ),
  maxBodySize: option(
    size,
    '4 MiB',
    'maximum body size of this interface, instead of the limit in [service:api]: 4 MiB are about 20,000 endpoints',
  ),
});

export abstract class ExternalDnsOptions implements Pick<ValuesOf<typeof EXTERNAL_DNS_OPTIONS>, 'maxEndpoints'> {
  abstract readonly maxEndpoints: number;
}
