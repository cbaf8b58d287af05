import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { Transaction } from '../../database/transaction.js';
import type { DomainName } from '../../dns/name.js';
import { mayUseBlacklistedNames } from '../../auth/policy.js';
import { ServiceError } from '../../common/service-error.js';
import { keyAbove, keysOnPath } from '../../dns/name-key.js';
import { type NamePattern, parseNamePattern } from './name-pattern.js';
import { ZoneNameRulesRepository } from './zone-name-rules.repository.js';

/** Port: restricts the names of zones, independent of existing zones. */
export abstract class ZoneNameRules {
  /**
   * Called in the unit of work that creates a zone, before its quota is checked.
   * @throws ServiceError `invalid_zone_name`
   */
  abstract assertAllowed(tx: Transaction, name: DomainName, caller: Caller): Promise<void>;
}

/** Without rules. */
@Injectable()
export class NoZoneNameRules extends ZoneNameRules {
  override assertAllowed(): Promise<void> {
    return Promise.resolve();
  }
}

interface KnownRules {
  readonly state: string | null;
  readonly tldKeys: ReadonlySet<string>;
  readonly patterns: readonly NamePattern[];
}

/** Each process caches the rules, and compares their state for each zone. */
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
    const patterns = await Promise.all((await this.rules.patterns(tx)).map(parseNamePattern));
    return { state, tldKeys, patterns };
  }
}

function assertBelowTld(name: DomainName, tldKeys: ReadonlySet<string>): void {
  if (tldKeys.has(name.key)) throw nameRefused(`${name.toString()} is a TLD itself: create a zone below it.`);
  if (keysOnPath('', keyAbove(name.key)).some((key) => tldKeys.has(key))) return;
  throw nameRefused(`Invalid TLD: ${name.toString()} is not below an allowed TLD.`);
}

/** Only admins may see the pattern. */
function assertNotListed(name: DomainName, patterns: readonly NamePattern[]): void {
  const text = name.toString();
  if (patterns.some((matches) => matches(text)))
    throw nameRefused(`Blacklisted zone name: ${text} is reserved for admins.`);
}

function nameRefused(message: string): ServiceError {
  return ServiceError.ofField('invalid_zone_name', 'name', 'enum', message);
}
