import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { Authenticator, type Identity } from '../authenticator.js';
import { isTenantId } from '../tenant-id.js';
import { tokenOf } from '../token-header.js';
import { hashToken } from '../tokens.service.js';
import type { KeystoneToken } from './keystone-answers.js';
import { KeystoneClient } from './keystone.client.js';
import { KeystoneOptions } from './keystone.options.js';
import { Verdicts } from './verdicts.js';

/** In characters. Keystone's tokens have some hundred; with many roles, signed ones have a few thousand. */
const MAX_TOKEN_LENGTH = 8192;
/** Whatever else a client sends is no token, and could not be passed on in a header. */
const VISIBLE = /^[!-~]+$/;
/** Valid and invalid tokens are remembered apart, so that inventing tokens makes nobody's verdict forgotten. */
const MOST_VALID = 10_000;
const MOST_INVALID = 1000;

/** Authenticates by tokens of a Keystone server (behaviour 14.1). */
@Injectable()
export class KeystoneAuthenticator extends Authenticator {
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

  /** @throws ServiceError `unavailable` when Keystone gives no verdict, `forbidden` for a token that is for no project */
  override async identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const token = tokenOf(headers, MAX_TOKEN_LENGTH);
    if (token === null || !VISIBLE.test(token)) return null;
    const verdict = await this.verdictOn(token);
    // It may have been remembered for longer than the token lives.
    if (verdict === null || verdict.expiresAt <= Date.now()) return null;
    return this.identityOf(verdict);
  }

  private identityOf({ projectId, roles, user, auditId }: KeystoneToken): Identity {
    if (projectId === null || !isTenantId(projectId))
      throw new ServiceError('forbidden', 'The token is for no project; ask Keystone for one that is.');
    return {
      tenantId: projectId,
      roles: [...new Set(roles.map((role) => this.ourRole(role.toLowerCase())))],
      ...(auditId === null || auditId.length > MAX_AUDIT_ID ? {} : { tokenId: auditId }),
      ...(user === null || user.length > MAX_USER ? {} : { user }),
    };
  }

  private ourRole(role: string): string {
    if (this.options.adminRoles.includes(role)) return 'admin';
    return this.options.readerRoles.includes(role) ? 'reader' : 'member';
  }

  private async verdictOn(token: string): Promise<KeystoneToken | null> {
    // What is kept in memory opens nothing.
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

/** In characters: what the journal has room for. */
const MAX_AUDIT_ID = 36;
const MAX_USER = 255;
