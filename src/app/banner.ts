import type { AuthStrategy } from '../auth/auth.options.js';
import type { Config } from '../config/config.js';
import { packageVersion } from './package-version.js';

/** Where a service is to be found. */
export interface Whereabouts {
  readonly url: string;
  readonly dnsUrl: string | null;
  readonly metricsUrl: string | null;
  /** The first admin token, where this start has made it. */
  readonly firstToken: string | null;
  readonly firstTokenPath: string;
}

/** What a start says to people. */
export function bannerOf(whereabouts: Whereabouts, config: Config): string {
  const { url, dnsUrl, metricsUrl } = whereabouts;
  const lines = [headline(url), `  API          ${url}/v1/domains`];
  if (config.api.docs) lines.push(`  Docs         ${url}/docs`);
  if (dnsUrl !== null) lines.push(`  DNS          ${dnsUrl}`);
  if (metricsUrl !== null) lines.push(`  Metrics      ${metricsUrl}`);
  const ofStrategies: Readonly<Record<AuthStrategy, () => string>> = {
    token: () => adminTokenLine(whereabouts, config),
    keystone: () => `  Tokens       of Keystone at ${config.keystone.authUrl ?? ''}`,
    jwt: () => `  Tokens       of the issuer ${config.jwt.issuer ?? ''}`,
    noauth: () => '  Admin token  not needed: auth_strategy = noauth',
  };
  return [...lines, ...config.api.authStrategies.map((strategy) => ofStrategies[strategy]())].join('\n');
}

/** The same for programs. A token is no matter for a log that is collected: the file has it, for its owner alone. */
export function bannerFieldsOf(whereabouts: Whereabouts, { api, auth }: Config): Readonly<Record<string, string>> {
  const { url, dnsUrl, metricsUrl, firstToken, firstTokenPath } = whereabouts;
  const isOwnToken = api.authStrategies.includes('token') && auth.adminToken === null;
  const said: Readonly<Record<string, string | null>> = {
    msg: headline(url),
    url,
    docs: api.docs ? `${url}/docs` : null,
    dns: dnsUrl,
    metrics: metricsUrl,
    auth: api.authStrategies.join(', '),
    admin_token_file: isOwnToken || firstToken !== null ? firstTokenPath : null,
  };
  return Object.fromEntries(Object.entries(said).filter((field): field is [string, string] => field[1] !== null));
}

function headline(url: string): string {
  return `Zonewright ${packageVersion()} listens on ${url}`;
}

function adminTokenLine({ firstToken, firstTokenPath }: Whereabouts, { auth }: Config): string {
  if (firstToken !== null)
    return `  Admin token  ${firstToken}\n               shown only this time; kept in ${firstTokenPath}`;
  if (auth.adminToken !== null) return '  Admin token  [auth] admin_token of the configuration';
  return `  Admin token  made at the first start, kept in ${firstTokenPath}`;
}
