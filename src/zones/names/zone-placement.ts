import { Injectable } from '@nestjs/common';
import { mayHoldNameServers, mayOwnPublicSuffix } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { because, type RefusalFacts } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { isKeyWithin, keyAbove, keysOnPath } from '../../dns/name-key.js';
import { NeedsExclusiveLock } from '../changes/needs-exclusive-lock.js';
import { PublicSuffixes } from './public-suffixes.js';
import { ZoneContents } from '../zone-contents.js';
import { type ZoneKey, ZoneRepository } from '../zone.repository.js';
import { ZonesOptions } from '../zones.options.js';

/** Whether it waits for zones above a name that somebody else holds. */
interface Waiting {
  readonly waits: boolean;
}

/** Where in the tree of names a zone may be made (behaviour 7.1, 7.3, 7.4). */
@Injectable()
export class ZonePlacement {
  private readonly nameServerKeys: readonly string[];
  private readonly catalogKey: string | null;
  private readonly publicSuffixes: PublicSuffixes;

  constructor(
    private readonly zones: ZoneRepository,
    private readonly contents: ZoneContents,
    options: ZonesOptions,
  ) {
    this.nameServerKeys = options.generation.nameServers.map((name) => DomainName.parse(name).key);
    this.catalogKey = options.catalogName === null ? null : DomainName.parse(options.catalogName).key;
    this.publicSuffixes = new PublicSuffixes(options.publicSuffixes);
  }

  /**
   * Judges where a new zone may stand while the tree of names is held.
   * @throws ServiceError `invalid_object` for a public suffix, `inside_foreign_zone`, `contains_foreign_zone`,
   *   `covers_parent_records`, and `NeedsExclusiveLock`
   */
  async assertAllowed(tx: Transaction, name: DomainName, caller: Caller, waiting?: Waiting): Promise<void> {
    const parents = await this.assertMayOwn(tx, name, caller, waiting);
    await this.assertCoversNoRecords(tx, name, parents.at(-1));
  }

  /**
   * The same of a zone that is there and would be the caller's. Returns the zones above it from the top down.
   * @throws ServiceError `invalid_object` for a public suffix, `inside_foreign_zone`, `contains_foreign_zone`
   */
  async assertMayOwn(
    tx: Transaction,
    name: DomainName,
    caller: Caller,
    { waits }: Waiting = { waits: true },
  ): Promise<readonly ZoneKey[]> {
    // The root holds every name server; why it is refused is the same for all services.
    if (name.labelCount === 0) await this.assertNoPublicSuffix(name, caller);
    this.assertHoldsNoNameServer(name, caller);
    this.assertIsNotCatalog(name);
    await this.assertNoPublicSuffix(name, caller);
    // Every name is below the root, which takes no names from others.
    const keysAbove = keysOnPath('', keyAbove(name.key)).slice(1);
    // What is refused anyway waits for no zone of another tenant.
    const above = await this.zones.findAmong(tx, keysAbove);
    if (above.some((parent) => parent.tenantId !== caller.tenantId))
      throw locationRefused('inside_foreign_zone', `${name.toString()} is below a zone of another tenant.`);
    const known = above.map(({ nameKey }) => nameKey);
    const parents = await (waits ? this.zones.lockByKeys(tx, known) : this.zones.lockFreeByKeys(tx, known));
    if (!waits && parents.length < known.length) throw new NeedsExclusiveLock(name.toString());
    if (name.labelCount > 0 && (await this.zones.hasForeignZoneBelow(tx, name.key, caller.tenantId)))
      throw locationRefused('contains_foreign_zone', `Another tenant owns a zone below ${name.toString()}`);
    return parents;
  }

  /** Records at one name in two zones would be two truths; moving them silently would change their history and ttl. */
  private async assertCoversNoRecords(tx: Transaction, name: DomainName, parent: ZoneKey | undefined): Promise<void> {
    if (parent === undefined || !(await this.contents.hasRecordsFor(tx, parent.id, name.key))) return;
    const where = `${parent.name} has records at or below ${name.toString()}`;
    throw locationRefused(
      'covers_parent_records',
      `${where}: delete them there first, NS and DS at that name may stay.`,
      because('covers_parent_records', { name: name.toString(), domain: parent.name }),
    );
  }

  /** Whoever holds the name servers' own names holds every zone they serve. */
  private assertHoldsNoNameServer(name: DomainName, caller: Caller): void {
    if (mayHoldNameServers(caller) || !this.nameServerKeys.some((key) => isKeyWithin(key, name.key))) return;
    throw locationRefused(
      'contains_foreign_zone',
      `${name.toString()} contains the name of a name server of this service; ask an admin.`,
      because('holds_name_server', { name: name.toString() }),
    );
  }

  /** Name servers have one zone of a name: they would drop the catalog, or never get this one. No admin can want that. */
  private assertIsNotCatalog(name: DomainName): void {
    if (name.key !== this.catalogKey) return;
    throw locationRefused(
      'contains_foreign_zone',
      `${name.toString()} is the catalog zone of this service; choose another name.`,
      because('is_catalog', { name: name.toString() }),
    );
  }

  /** Whoever holds a name under which everybody registers keeps all others from doing so. */
  private async assertNoPublicSuffix(name: DomainName, caller: Caller): Promise<void> {
    if (mayOwnPublicSuffix(caller) || !(await this.publicSuffixes.has(name))) return;
    const what = ['the root', 'a top-level name'][name.labelCount] ?? 'a public suffix';
    throw ServiceError.ofField(
      'invalid_object',
      'name',
      'format',
      `${name.toString()} is ${what}, under which everybody registers names: create one below it, or ask an admin.`,
      because('public_suffix', { name: name.toString() }),
    );
  }
}

function locationRefused(
  code: 'inside_foreign_zone' | 'contains_foreign_zone' | 'covers_parent_records',
  message: string,
  facts?: RefusalFacts,
): ServiceError {
  return ServiceError.ofField(code, 'name', 'format', message, facts);
}
