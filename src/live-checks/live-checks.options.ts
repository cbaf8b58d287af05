import type { AskedNameServer } from '../common/network/address-lookup.js';
import { nameServerAddress, network, serverName } from '../config/address-readers.js';
import { inSection, option, type ValuesOf } from '../config/option.js';
import { integer, list, orEmpty, reader } from '../config/readers.js';

const issuer = reader('domain of a certificate authority as in letsencrypt.org', (text) =>
  serverName.read(`${text}.`) === undefined ? undefined : text.toLowerCase(),
);

/** Providers that answer NXDOMAIN for a released name, and let anyone register it. */
const REGISTRABLE = [
  ...['azurewebsites.net.', 'azureedge.net.', 'azure-api.net.', 'azurecontainer.io.', 'azurefd.net.', 'cloudapp.net.'],
  ...['cloudapp.azure.com.', 'trafficmanager.net.', 'blob.core.windows.net.', 'web.core.windows.net.'],
  ...['elasticbeanstalk.com.', 's3.amazonaws.com.', 'cloudfront.net.', 'github.io.', 'gitlab.io.', 'herokuapp.com.'],
  ...['herokudns.com.', 'fastly.net.', 'netlify.app.', 'pages.dev.', 'vercel.app.', 'web.app.', 'myshopify.com.'],
];

export const LIVE_CHECKS_OPTIONS = inSection('service:live_checks', {
  resolver: option(
    orEmpty(null, nameServerAddress),
    '',
    'resolver for live checks, over TCP; empty: that of [service:dnssec]. Without any, domains are not checked live',
  ),
  allowedNetworks: option(
    orEmpty([], list(network)),
    '',
    'addresses and networks of name servers that are queried although they are not public; empty: none',
  ),
  maxQueries: option(integer(20, 2000), '200', 'maximum queries of one check'),
  timeLimit: option(integer(1, 60), '20', 'seconds after which a check ends with the findings so far'),
  issuers: option(
    orEmpty([], list(issuer)),
    '',
    'certificate authorities that the CAA records of domains should allow; empty: CAA is not checked',
  ),
  registrableSuffixes: option(
    orEmpty([], list(serverName)),
    REGISTRABLE.join(', '),
    'domains of hosting providers in which anyone may register a released name',
  ),
  interval: option(
    orEmpty(null, integer(3600, 31_536_000)),
    '',
    'seconds between two scheduled checks of a domain; empty: domains are checked on request alone',
  ),
  scheduledQueriesPerSecond: option(integer(10, 600), '40', 'maximum queries a second of all scheduled checks'),
});

export abstract class LiveChecksOptions implements Omit<ValuesOf<typeof LIVE_CHECKS_OPTIONS>, 'resolver'> {
  /** `null`: domains are not checked live. */
  abstract readonly resolver: AskedNameServer | null;
  /** Networks that are not public, in CIDR notation. */
  abstract readonly allowedNetworks: readonly string[];
  abstract readonly maxQueries: number;
  /** In seconds. */
  abstract readonly timeLimit: number;
  /** Lower case, without final dot. */
  abstract readonly issuers: readonly string[];
  /** Absolute names. */
  abstract readonly registrableSuffixes: readonly string[];
  /** In seconds; `null`: no scheduled checks. */
  abstract readonly interval: number | null;
  abstract readonly scheduledQueriesPerSecond: number;
}
