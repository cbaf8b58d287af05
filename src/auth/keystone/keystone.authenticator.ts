import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import type { Identity } from '../authenticator.js';
import { truncateForAudit } from '../audit-identity.js';
import { builtInRoles } from '../role-names.js';
import { Strategy } from '../strategies/strategy.js';
import { isTenantId } from '../tenant-id.js';
import { LONGEST_TOKEN, tokenOf } from '../tokens/token-header.js';
import { hashToken } from '../tokens/tokens.service.js';
import type { KeystoneToken } from './keystone-answers.js';
import { KeystoneClient } from './keystone.client.js';
import { KeystoneOptions } from './keystone.options.js';
import { Verdicts } from './verdicts.js';

/** Whatever else a client sends is no token, and could not be passed on in a header. */
const VISIBLE = /^[!-~]+$/;
/** Valid and invalid tokens are remembered apart, so that inventing tokens makes nobody's verdict forgotten. */
const MOST_VALID = 10_000;
const MOST_INVALID = 1000;

/** Authenticates by tokens of a Keystone server (behaviour 14.1). */
@Injectable()
export class KeystoneAuthenticator extends Strategy {
  private readonly valid = new Verdicts<KeystoneToken>(MOST_VALID);
  private readonly invalid = new Verdicts<null>(MOST_INVALID);
  /** Questions to Keystone, which several requests with the same token wait for together. */
  private readonly underWay = new Map<string, Promise<KeystoneToken | null>>();

  constructor(
    private readonly keystone: KeystoneClient,
    private readonly options: KeystoneOptions,
  ) {
    super();
  }

  /** Keystone makes tokens of several forms: any that can be sent may be one. */
  override recognises(token: string): boolean {
    return VISIBLE.test(token);
  }

  /** @throws ServiceError `unavailable` when Keystone gives no verdict, `forbidden` for one of no project, nor the system */
  override async identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const token = tokenOf(headers, LONGEST_TOKEN);
    if (token === null || !this.recognises(token)) return null;
    const verdict = await this.verdictOn(token);
    // It may have been remembered for longer than the token lives.
    if (verdict === null || verdict.expiresAt <= Date.now()) return null;
    return this.identityOf(verdict);
  }

  private identityOf({ projectId, isForSystem, roles, user, auditId, expiresAt }: KeystoneToken): Identity {
    // The admin of a Keystone domain is not one of the whole cloud.
    if (projectId === null ? !isForSystem : !isTenantId(projectId))
      throw new ServiceError('forbidden', 'The token belongs to no project; ask Keystone for one that does.');
    const who = { tenantId: projectId, roles: builtInRoles(roles, this.options), ...truncateForAudit(auditId, user) };
    return { ...who, expiresAt: expiresAt * 1000 };
  }

  private async verdictOn(token: string): Promise<KeystoneToken | null> {
    // Verdicts are kept under a digest, because memory must hold no token that could be used.
    const key = hashToken(token);
    const now = Date.now();
    const known = this.valid.at(key, now) ?? this.invalid.at(key, now);
    if (known !== undefined) return known;
    return this.underWay.get(key) ?? this.ask(token, key);
  }

  private async ask(token: string, key: string): Promise<KeystoneToken | null> {
    const asked = this.keystone.validate(token);
    this.underWay.set(key, asked);
    try {
      const verdict = await asked;
      this.remember(key, verdict);
      return verdict;
    } finally {
      this.underWay.delete(key);
    }
  }

  private remember(key: string, verdict: KeystoneToken | null): void {
    const { cacheTime } = this.options;
    if (cacheTime === null) return;
    const until = Date.now() + cacheTime * 1000;
    if (verdict === null) this.invalid.keep(key, null, until);
    else this.valid.keep(key, verdict, until);
  }
}
