import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { DomainName } from '../dns/name.js';
import type { DryRunResult } from '../records/changes/record-operation.js';
import type { ServedRecord } from '../records/record.repository.js';
import type { RecordSource } from '../records/served/served-zone.js';
import { comparePositions } from '../records/stored-record.js';
import type { NamesOfZone } from './zone-lookup.js';

/** So many records are handed on before others have their turn, unless their RDATA in hexadecimal has more octets than that. */
const PAGE = 250;
const PAGE_OCTETS = 2 ** 18;

/** Records of a zone that are all in memory, in the order in which they are served. */
export class ListedRecords implements RecordSource, NamesOfZone {
  private readonly types = new Map<string, Set<string>>();
  /** All names at which, or below which, there are records. */
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

/** The same records as a change would leave them. */
export function withDifferences(
  records: readonly ServedRecord[],
  differences: DryRunResult['differences'],
): readonly ServedRecord[] {
  const changed = new Set(differences.flatMap(({ before }) => before?.id ?? []));
  const added = differences.flatMap(({ after }): ServedRecord[] => {
    if (after === null) return [];
    const { id, name, type, ttl, rdata } = after;
    // Where it stands in its record set makes no difference here.
    return [{ id, name, ownerKey: DomainName.parse(name).key, type, ttl, rdata, fingerprint: '' }];
  });
  return [...records.filter(({ id }) => !changed.has(id)), ...added].sort(comparePositions);
}
