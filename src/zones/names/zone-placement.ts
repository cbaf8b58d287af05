import { Injectable } from '@nestjs/common';
import { mayHoldNameServers, mayOwnPublicSuffix } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { because, type RefusalFacts } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { isKeyWithin, keyAbove, keysOnPath } from '../../dns/name-key.js';
import { NeedsExclusiveLock } from '../changes/zone-changes.js';
import { PublicSuffixes } from './public-suffixes.js';
import { ZoneContents } from '../zone-contents.js';
import { type ZoneKey, ZoneRepository } from '../zone.repository.js';
import { ZonesOptions } from '../zones.options.js';

interface Waiting {
  readonly waits: boolean;
}

/** Checks where in the namespace a zone may be created (behaviour 7.1, 7.3, 7.4). */
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

  /** `NeedsExclusiveLock` if `waiting` forbids waiting for a parent zone. */
  async assertAllowed(tx: Transaction, name: DomainName, caller: Caller, waiting?: Waiting): Promise<void> {
    const parents = await this.assertMayOwn(tx, name, caller, waiting);
    await this.assertCoversNoRecords(tx, name, parents.at(-1));
  }

  /** Returns the parent zones from the top down. */
  async assertMayOwn(
    tx: Transaction,
    name: DomainName,
    caller: Caller,
    { waits }: Waiting = { waits: true },
  ): Promise<readonly ZoneKey[]> {
    // The root contains all name servers; report it as a public suffix, as for all services.
    if (name.labelCount === 0) await this.assertNoPublicSuffix(name, caller);
    this.assertHoldsNoNameServer(name, caller);
    this.assertIsNotCatalog(name);
    await this.assertNoPublicSuffix(name, caller);
    // The root zone does not restrict the names below it.
    const keysAbove = keysOnPath('', keyAbove(name.key)).slice(1);
    // A rejected name need not wait for zones of other tenants.
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

  /** Two zones with records at one name would contradict each other. Moving records would change their history. */
  private async assertCoversNoRecords(tx: Transaction, name: DomainName, parent: ZoneKey | undefined): Promise<void> {
    if (parent === undefined || !(await this.contents.hasRecordsFor(tx, parent.id, name.key))) return;
    const where = `${parent.name} has records at or below ${name.toString()}`;
    throw locationRefused(
      'covers_parent_records',
      `${where}: delete them there first, NS and DS at that name may stay.`,
      because('covers_parent_records', { name: name.toString(), domain: parent.name }),
    );
  }

  /** The owner of the name servers' names controls all zones they serve. */
  private assertHoldsNoNameServer(name: DomainName, caller: Caller): void {
    if (mayHoldNameServers(caller) || !this.nameServerKeys.some((key) => isKeyWithin(key, name.key))) return;
    throw locationRefused(
      'contains_foreign_zone',
      `${name.toString()} contains the name of a name server of this service; ask an admin.`,
      because('holds_name_server', { name: name.toString() }),
    );
  }

  /** Name servers have one zone for a name: they would drop the catalog, or never get this zone. */
  private assertIsNotCatalog(name: DomainName): void {
    if (name.key !== this.catalogKey) return;
    throw locationRefused(
      'contains_foreign_zone',
      `${name.toString()} is the catalog zone of this service; choose another name.`,
      because('is_catalog', { name: name.toString() }),
    );
  }

  /** The owner of a public suffix could block all registrations below it. */
  private async assertNoPublicSuffix(name: DomainName, caller: Caller): Promise<void> {
    if (mayOwnPublicSuffix(caller) || !(await this.publicSuffixes.has(name))) return;
    const what = ['the root', 'a top-level name'][name.labelCount] ?? 'a public suffix';
    throw ServiceError.ofField(
      'invalid_object',
      'name',
      'format',
      `${name.toString()} is ${what}, under which the public registers names; create a zone below it, or ask an admin.`,
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
