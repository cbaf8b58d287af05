import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { readField, ServiceError } from '../../common/service-error.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import { NameError } from '../../dns/name.js';
import { parseDomainName } from '../../dns/owner-name.js';
import { POOL_ID } from '../../zones/zone-publication.js';
import { type NsRecord, type PoolEntity, PoolRepository } from './pool.repository.js';

export abstract class PoolsOptions {
  /** Absolute names of the name servers; the first is the primary. */
  abstract readonly nameServers: readonly string[];
}

export interface PoolFields {
  readonly name: string;
  readonly description: string | null;
  readonly nsRecords: readonly NsRecord[];
  readonly projectId: string | null;
}

export type PoolUpdate = { readonly [Field in keyof PoolFields]?: PoolFields[Field] | undefined };

/** Manages the configured pool, which has all zones, and further pools of admins. */
@Injectable()
export class PoolsService {
  private readonly configured: string;

  constructor(
    private readonly pools: PoolRepository,
    { nameServers }: PoolsOptions,
  ) {
    this.configured = columnOf(nameServers.map((hostname, index) => ({ hostname, priority: index + 1 })));
  }

  async page(query: CollectionQuery): Promise<FilteredPage<PoolEntity>> {
    const page = await this.pools.page(query);
    return { ...page, rows: page.rows.map((pool) => this.asConfigured(pool)) };
  }

  async get(id: string): Promise<PoolEntity> {
    return this.asConfigured(await this.pools.find(id));
  }

  /** @throws ServiceError `invalid_object` for a host name, `duplicate_pool` */
  create({ nsRecords, ...fields }: PoolFields, caller: Caller): Promise<PoolEntity> {
    assertHostNames(nsRecords);
    return this.pools.insert({ ...fields, nsRecords: columnOf(nsRecords) }, caller);
  }

  /** @throws ServiceError as `create`, `pool_not_found`, `change_not_allowed` for configured name servers */
  async update(id: string, { nsRecords, ...fields }: PoolUpdate, caller: Caller): Promise<PoolEntity> {
    if (nsRecords !== undefined) assertHostNames(nsRecords);
    const isConfigured = nsRecords !== undefined && id === POOL_ID;
    if (isConfigured && columnOf(nsRecords) !== this.configured)
      throw notAllowed('The name servers of this pool are set in the configuration: [service:central] name_servers.');
    const change = nsRecords === undefined || isConfigured ? {} : { nsRecords: columnOf(nsRecords) };
    return this.asConfigured(await this.pools.update(id, { ...fields, ...change }, caller));
  }

  /** @throws ServiceError `pool_not_found`, `change_not_allowed` for the configured pool */
  async delete(id: string, caller: Caller): Promise<void> {
    if (id === POOL_ID) throw notAllowed('All zones are in this pool; it cannot be deleted.');
    await this.pools.delete(id, caller);
  }

  private asConfigured(pool: PoolEntity): PoolEntity {
    return pool.id === POOL_ID ? { ...pool, nsRecords: this.configured } : pool;
  }
}

/** Equal lists make equal texts, in any field order. */
function columnOf(nsRecords: readonly NsRecord[]): string {
  return JSON.stringify(nsRecords.map(({ hostname, priority }) => ({ hostname, priority })));
}

function assertHostNames(nsRecords: readonly NsRecord[]): void {
  for (const [index, { hostname }] of nsRecords.entries()) {
    const path = `ns_records[${index}].hostname`;
    readField(path, NameError, () => parseDomainName(hostname), 'hostname');
  }
}

function notAllowed(message: string): ServiceError {
  return new ServiceError('change_not_allowed', message);
}
