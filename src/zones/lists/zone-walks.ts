import { Injectable } from '@nestjs/common';
import { zonesOf } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import type { ListWalk } from '../../database/statements/filtered-pages.js';
import { Reads } from '../../database/reads.js';
import { indexedBy, primaryKeyOf, textKey, type WhereClause, wholeTable } from '../../database/statements/walk.js';
import { DomainName, nameOrNull } from '../../dns/name.js';
import { isSharedWithSql, ZoneShareRepository } from '../sharing/zone-share.repository.js';

/** The ways to the zones that a caller sees. */
@Injectable()
export class ZoneWalks {
  constructor(
    private readonly reads: Reads,
    private readonly shares: ZoneShareRepository,
  ) {}

  /**
   * Those that the caller owns; an admin may have asked for those of all tenants.
   * @param name of the only one that is looked for; `null`: whichever
   */
  ofOwner(caller: Caller, name: string | null): ListWalk[] {
    const ofToken = keysOfToken(caller);
    const keys = name === null ? ofToken : keysOfName(name).filter((key) => ofToken?.includes(key) ?? true);
    if (keys !== null) return zonesNamed(keys, caller, { sql: 'tenant_id = ?', values: [caller.tenantId] });
    return [caller.allTenants ? ALL_ZONES : zonesOwnedBy(caller.tenantId)];
  }

  /** @param among the keys of the only zones that are looked for; `null`: whichever */
  async of(caller: Caller, among: readonly string[] | null = null): Promise<ListWalk[]> {
    const ofToken = keysOfToken(caller);
    const keys = among?.filter((key) => ofToken?.includes(key) ?? true) ?? ofToken;
    if (keys !== null) {
      const seen = {
        sql: `tenant_id = ? OR ${isSharedWithSql('zones.id')}`,
        values: [caller.tenantId, caller.tenantId],
      };
      return zonesNamed(keys, caller, seen);
    }
    if (caller.allTenants) return [ALL_ZONES];
    const { tenantId } = caller;
    const isTarget = await this.reads.run((tx) => this.shares.isTarget(tx, tenantId));
    return isTarget ? [zonesOwnedBy(tenantId), zonesSharedWith(tenantId)] : [zonesOwnedBy(tenantId)];
  }
}

/** None for what is no name: no zone has it. */
export function keysOfName(name: string): string[] {
  const parsed = nameOrNull(() => DomainName.parse(name));
  return parsed === null ? [] : [parsed.key];
}

/** The zones that the caller's token is for; `null` where it is for all. */
function keysOfToken(caller: Caller): string[] | null {
  return zonesOf(caller)?.map((name) => DomainName.parse(name).key) ?? null;
}

/** Those of all tenants. */
export const ALL_ZONES: ListWalk = { ...wholeTable('zones'), order: 'zones.id' };

export function zoneOfId(id: string): ListWalk {
  const from = `zones${indexedBy(primaryKeyOf('zones'))}`;
  return { from, where: { sql: 'zones.id = ?', values: [id] }, key: [textKey('id')], order: 'zones.id' };
}

/** Those of a tenant. */
export function zonesOwnedBy(tenantId: string): ListWalk {
  const where = { sql: 'tenant_id = ?', values: [tenantId] };
  return { from: `zones${indexedBy('zones_of_tenant')}`, where, key: [textKey('id')], order: 'zones.id' };
}

/** What is shared with a tenant is never its own. */
function zonesSharedWith(tenantId: string): ListWalk {
  const where = { sql: 'h.target_tenant_id = ? AND zones.id = h.zone_id', values: [tenantId] };
  const from = `zone_shares h${indexedBy('zone_shares_for_tenant')} CROSS JOIN zones`;
  return { from, where, key: [textKey('h.zone_id')], order: 'zones.id' };
}

/** Those of a few zones that the caller sees. */
function zonesNamed(keys: readonly string[], { allTenants }: Caller, seen: WhereClause): ListWalk[] {
  if (keys.length === 0) return [];
  const where = { sql: `name_key IN (${keys.map(() => '?').join(', ')})`, values: keys };
  const from = `zones${indexedBy('zones_name_key')}`;
  return [{ from, where, key: [textKey('id')], ...(allTenants ? {} : { seen }) }];
}
