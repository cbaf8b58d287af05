import { Injectable } from '@nestjs/common';
import { mayUseBlacklistedNames } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { DomainName } from '../../dns/name.js';
import { keyAbove, keysOnPath } from '../../dns/name-key.js';
import { ZoneNameRules } from './zone-name-rules.js';
import { NamePattern } from './name-pattern.js';
import { ZoneNameRulesRepository } from './zone-name-rules.repository.js';

/** The rules as they were when `state` was the text that says so. */
interface KnownRules {
  readonly state: string | null;
  readonly tldKeys: ReadonlySet<string>;
  readonly patterns: readonly NamePattern[];
}

/**
 * Judges names of new zones by the TLDs and blacklists of the operator. Each process keeps them, and looks with each zone
 * whether they are still what they were.
 */
@Injectable()
export class StoredNameRules extends ZoneNameRules {
  private known: KnownRules = { state: null, tldKeys: new Set(), patterns: [] };

  constructor(private readonly rules: ZoneNameRulesRepository) {
    super();
  }

  override async assertAllowed(tx: Transaction, name: DomainName, caller: Caller): Promise<void> {
    const { tldKeys, patterns } = await this.current(tx);
    if (tldKeys.size > 0) assertBelowTld(name, tldKeys);
    if (patterns.length > 0 && !mayUseBlacklistedNames(caller)) assertNotListed(name, patterns);
  }

  private async current(tx: Transaction): Promise<KnownRules> {
    const state = await this.rules.stateOf(tx);
    if (state !== this.known.state) this.known = await this.read(tx, state);
    return this.known;
  }

  private async read(tx: Transaction, state: string | null): Promise<KnownRules> {
    const tldKeys = new Set(await this.rules.tldKeys(tx));
    const patterns = (await this.rules.patterns(tx)).map((pattern) => NamePattern.parse(pattern));
    return { state, tldKeys, patterns };
  }
}

function assertBelowTld(name: DomainName, tldKeys: ReadonlySet<string>): void {
  if (tldKeys.has(name.key)) throw nameRefused(`${name.toString()} is a TLD itself: create a zone below it.`);
  if (keysOnPath('', keyAbove(name.key)).some((key) => tldKeys.has(key))) return;
  throw nameRefused(`Invalid TLD: ${name.toString()} lies below none of those under which zones may be made.`);
}

/** Only admins may know the pattern. */
function assertNotListed(name: DomainName, patterns: readonly NamePattern[]): void {
  const text = name.toString();
  if (patterns.some((pattern) => pattern.matches(text)))
    throw nameRefused(`Blacklisted zone name: ${text} is reserved for admins.`);
}

function nameRefused(message: string): ServiceError {
  return ServiceError.ofField('invalid_zone_name', 'name', 'enum', message);
}
