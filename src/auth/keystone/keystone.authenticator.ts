import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { type Identity, truncateForAudit } from '../authenticator.js';
import { builtInRoles } from '../roles.js';
import { Strategy } from '../strategies.js';
import { isTenantId } from '../tenant-id.js';
import { LONGEST_TOKEN, tokenOf } from '../tokens/token-header.js';
import { hashToken } from '../tokens/tokens.service.js';
import { type KeystoneToken, KeystoneClient } from './keystone.client.js';
import { KeystoneOptions } from './keystone.options.js';

/** Other text is no token and would be invalid in a header. */
const VISIBLE = /^[!-~]+$/;
/** Separate caches, so that invented tokens do not evict valid ones. */
const MOST_VALID = 10_000;
const MOST_INVALID = 1000;

/** Authenticates by Keystone tokens (behaviour 14.1). */
@Injectable()
export class KeystoneAuthenticator extends Strategy {
  private readonly valid = new Verdicts<KeystoneToken>(MOST_VALID);
  private readonly invalid = new Verdicts<null>(MOST_INVALID);
  /** Requests with the same token share one query to Keystone. */
  private readonly underWay = new Map<string, Promise<KeystoneToken | null>>();

  constructor(
    private readonly keystone: KeystoneClient,
    private readonly options: KeystoneOptions,
  ) {
    super();
  }

  /** Keystone has several token formats, so any visible text may be a token. */
  override recognises(token: string): boolean {
    return VISIBLE.test(token);
  }

  /** @throws ServiceError `unavailable` if Keystone does not answer, `forbidden` for a token without project */
  override async identify(headers: IncomingHttpHeaders): Promise<Identity | null> {
    const token = tokenOf(headers, LONGEST_TOKEN);
    if (token === null || !this.recognises(token)) return null;
    const verdict = await this.verdictOn(token);
    // The cache may outlive the token.
    if (verdict === null || verdict.expiresAt <= Date.now()) return null;
    return this.identityOf(verdict);
  }

  private identityOf({ projectId, isForSystem, roles, user, auditId, expiresAt }: KeystoneToken): Identity {
    // The admin of a Keystone domain is no admin of the whole cloud.
    if (projectId === null ? !isForSystem : !isTenantId(projectId))
      throw new ServiceError('forbidden', 'The token belongs to no project; ask Keystone for one that does.');
    const who = { tenantId: projectId, roles: builtInRoles(roles, this.options), ...truncateForAudit(auditId, user) };
    return { ...who, expiresAt: expiresAt * 1000 };
  }

  private async verdictOn(token: string): Promise<KeystoneToken | null> {
    // The cache keys are digests, so that no usable token stays in memory.
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

/** Cache with expiry and a size limit. Evicts the oldest entry. */
export class Verdicts<Verdict> {
  private readonly kept = new Map<string, { readonly verdict: Verdict; readonly until: number }>();

  constructor(private readonly most: number) {}

  /** @param now milliseconds */
  at(key: string, now: number): Verdict | undefined {
    const entry = this.kept.get(key);
    if (entry === undefined) return undefined;
    if (entry.until > now) return entry.verdict;
    this.kept.delete(key);
    return undefined;
  }

  keep(key: string, verdict: Verdict, until: number): void {
    this.kept.delete(key);
    this.kept.set(key, { verdict, until });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
  }
}
