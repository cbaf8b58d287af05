import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { DomainName } from '../dns/name.js';
import { keysOnPath, wildcardKey } from '../dns/name-key.js';
import type { ZoneRole } from '../dns/rdata/index.js';
import { RecordSetRepository } from '../records/record-set.repository.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneFilesOptions } from './zone-files.options.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import type { DryRunResult } from '../records/changes/change-request.js';
import type { ServedRecord } from '../records/record.repository.js';
import type { RecordSource } from '../records/served/served-zone.js';
import { comparePositions } from '../records/stored-record.js';

export type Found = 'address' | 'alias' | 'delegated' | 'nothing';

type Roles = ReadonlySet<ZoneRole | null>;

export interface NamesOfZone {
  typesAt(ownerKey: string): Promise<readonly string[]>;
  /** Also true if only a name below it has records. */
  isServed(ownerKey: string): Promise<boolean>;
}

/** Resolves names of a zone as a name server does (RFC 1034 §4.3.2). */
@Injectable()
export class ZoneLookup {
  constructor(
    private readonly recordSets: RecordSetRepository,
    private readonly options: ZoneFilesOptions,
  ) {}

  stored(tx: Transaction, zoneId: string): NamesOfZone {
    return {
      typesAt: (ownerKey) => this.recordSets.typesAt(tx, zoneId, ownerKey),
      isServed: (ownerKey) => this.recordSets.isServed(tx, zoneId, ownerKey),
    };
  }

  async find(names: NamesOfZone, { nameKey }: ZoneEntity, name: DomainName): Promise<Found> {
    const own = await this.rolesAt(names, name.key);
    if (own.has('address')) return 'address';
    const path = keysOnPath(nameKey, name.key);
    for (const key of path.slice(1)) if ((await this.rolesAt(names, key)).has('delegation')) return 'delegated';
    return foundIn(own.size > 0 ? own : await this.synthesized(names, path));
  }

  /** RFC 4592 §3.3: the roles at the wildcard below the closest encloser, if the name does not exist. */
  private async synthesized(names: NamesOfZone, path: readonly string[]): Promise<Roles> {
    const [apex = '', ...below] = path;
    for (const key of below.toReversed())
      if (await names.isServed(key))
        return key === path[path.length - 1] ? new Set() : this.rolesAt(names, wildcardKey(key));
    return this.rolesAt(names, wildcardKey(apex));
  }

  private async rolesAt(names: NamesOfZone, ownerKey: string): Promise<Roles> {
    const types = await names.typesAt(ownerKey);
    return new Set(types.map((name) => this.options.knownTypes.byName(name)?.role ?? null));
  }
}

function foundIn(roles: Roles): Found {
  if (roles.has('address')) return 'address';
  return roles.has('alias') ? 'alias' : 'nothing';
}

/** Records between two turns of the event loop, unless their RDATA in hexadecimal exceeds the octets. */
const PAGE = 250;
const PAGE_OCTETS = 2 ** 18;

export class ListedRecords implements RecordSource, NamesOfZone {
  private readonly types = new Map<string, Set<string>>();
  /** Names that have records at or below them. */
  private readonly paths = new Set<string>();

  constructor(private readonly records: readonly ServedRecord[]) {
    for (const { ownerKey, type } of records) {
      const types = this.types.get(ownerKey);
      if (types !== undefined) types.add(type);
      else this.types.set(ownerKey, new Set([type]));
      for (let end = ownerKey.length; end > 0; end = ownerKey.lastIndexOf(' ', end - 1))
        this.paths.add(ownerKey.slice(0, end));
    }
  }

  async *all(): AsyncGenerator<readonly ServedRecord[]> {
    let page: ServedRecord[] = [];
    let octets = 0;
    for (const record of this.records) {
      page.push(record);
      octets += record.rdata.length;
      if (page.length < PAGE && octets < PAGE_OCTETS) continue;
      yield page;
      [page, octets] = [[], 0];
      await nextTurn();
    }
    if (page.length > 0) yield page;
  }

  ofSet(ownerKey: string, type: string): Promise<ServedRecord[]> {
    return Promise.resolve(this.records.filter((record) => record.ownerKey === ownerKey && record.type === type));
  }

  typesAt(ownerKey: string): Promise<readonly string[]> {
    return Promise.resolve([...(this.types.get(ownerKey) ?? [])]);
  }

  isServed(ownerKey: string): Promise<boolean> {
    return Promise.resolve(this.paths.has(ownerKey));
  }
}

export function withDifferences(
  records: readonly ServedRecord[],
  differences: DryRunResult['differences'],
): readonly ServedRecord[] {
  const changed = new Set(differences.flatMap(({ before }) => before?.id ?? []));
  const added = differences.flatMap(({ after }): ServedRecord[] => {
    if (after === null) return [];
    const { id, name, type, ttl, rdata } = after;
    // The order within a record set does not matter here.
    return [{ id, name, ownerKey: DomainName.parse(name).key, type, ttl, rdata, fingerprint: '' }];
  });
  return [...records.filter(({ id }) => !changed.has(id)), ...added].sort(comparePositions);
}
