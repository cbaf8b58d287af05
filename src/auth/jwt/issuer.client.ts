import { Injectable } from '@nestjs/common';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { fieldOf, textOf } from '../../common/json.js';
import { RareWarning } from '../../common/rare-warning.js';
import { ServiceError } from '../../common/service-error.js';
import { isProtected } from '../../config/address-readers.js';
import { askProvider, reasonOf } from '../identity-provider.js';
import { JwtOptions } from './jwt.options.js';

/** In milliseconds, for discovery and keys together. */
const TIME_LIMIT = 5000;
/** Behind the issuer (OpenID Connect Discovery 1.0 §4). */
const DISCOVERY = '/.well-known/openid-configuration';

/** Fetches the keys that an OIDC issuer publishes. */
@Injectable()
export class IssuerClient {
  private readonly warning = new RareWarning();

  constructor(private readonly options: JwtOptions) {}

  /**
   * Returns what finds the key of a token among those that are published now.
   * @throws ServiceError `unavailable` when the issuer does not say
   */
  async fetchKeys(): Promise<JWTVerifyGetKey> {
    const signal = AbortSignal.timeout(TIME_LIMIT);
    try {
      const document = await fetchJson('discovery', discoveryUrl(this.options.issuer), signal);
      const keys = await fetchJson('keys', this.addressIn(document), signal);
      // It checks the keys that it is given.
      const found = createLocalJWKSet(keys as JSONWebKeySet);
      this.warning.over(`the issuer ${this.options.issuer} publishes its keys again`);
      return found;
    } catch (error) {
      this.warning.warn(`the keys of the issuer ${this.options.issuer} cannot be fetched: ${reasonOf(error)}`);
      throw keysUnavailable();
    }
  }

  /** Where the keys are. What another issuer says of itself must not be believed of this one (§4.3). */
  private addressIn(document: unknown): string {
    const issuer = textOf(fieldOf(document, 'issuer'));
    if (issuer !== this.options.issuer) throw new Error(`the document there names ${issuer ?? 'no issuer'}`);
    const address = textOf(fieldOf(document, 'jwks_uri')) ?? '';
    if (!URL.canParse(address) || !isProtected(new URL(address)))
      throw new Error('its jwks_uri is not an https:// URL, nor http:// on loopback');
    return address;
  }
}

export function keysUnavailable(): ServiceError {
  return new ServiceError('unavailable', 'The keys of the issuer cannot be fetched; try again.');
}

function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}${DISCOVERY}`;
}

/** @throws Error for any answer but 200 with JSON */
async function fetchJson(request: string, url: string, signal: AbortSignal): Promise<unknown> {
  const { status, body } = await askProvider({ provider: 'issuer', request, url, signal });
  if (status !== 200 || body === undefined) throw new Error(`${url} answers with status ${status}`);
  return body;
}
