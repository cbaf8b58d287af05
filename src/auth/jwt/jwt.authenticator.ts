import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Identity } from '../authenticator.js';
import { Strategy } from '../strategies/strategy.js';
import { LONGEST_TOKEN, tokenOf } from '../tokens/token-header.js';
import { identityOf } from './claims.js';
import { IssuerKeys } from './issuer-keys.js';
import { JwtOptions } from './jwt.options.js';

/** RFC 7515 §3.1: three parts in base64url. An encrypted one has five; one that nobody has signed has nothing in the last. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]*$/;
/** What a `typ` may begin with (RFC 7515 §4.1.9). */
const MEDIA = 'application/';

/** Authenticates by tokens that an OIDC issuer has signed (behaviour 14.3). */
@Injectable()
export class JwtAuthenticator extends Strategy {
  private readonly logger = new Logger('Zonewright');

  constructor(
    private readonly keys: IssuerKeys,
    private readonly clock: Clock,
    private readonly options: JwtOptions,
  ) {
    super();
  }

  override recognises(token: string): boolean {
    return COMPACT.test(token);
  }

  /** @throws ServiceError `unavailable` when its key cannot be had, `forbidden` for one whose claims name no tenant well */
  override async identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const token = tokenOf(headers, LONGEST_TOKEN);
    if (token === null || !this.recognises(token)) return null;
    const claims = await this.verified(token);
    return claims === null ? null : identityOf(claims, this.options);
  }

  /** @throws ServiceError `unavailable` */
  private async verified(token: string): Promise<JWTPayload | null> {
    const { issuer, audience, algorithms, clockSkew } = this.options;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, {
        ...{ issuer, audience: [...audience], algorithms: [...algorithms] },
        ...{ clockTolerance: clockSkew, requiredClaims: ['exp'], currentDate: new Date(this.clock.now() / 1000) },
      });
      this.assertType(protectedHeader);
      return payload;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      // For who sets an issuer up: the words are of the library, and have nothing of the token but names of claims.
      this.logger.debug(`a JWT is refused: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  }

  /** Issuers sign more than what is meant for services, such as notices of a logout (RFC 8725 §3.11). */
  private assertType({ typ }: JWTHeaderParameters): void {
    const type = (typ ?? 'jwt').toLowerCase();
    const name = type.startsWith(MEDIA) ? type.slice(MEDIA.length) : type;
    if (!this.options.tokenTypes.includes(name)) throw new Error('its type is not one of token_types');
  }
}
