import { Injectable } from '@nestjs/common';
import { NS } from '../../dns/rdata/name-types.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { AnnotatedSet, SetComment } from '../../records/annotated-sets.repository.js';
import { RecordsOptions } from '../../records/records.options.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { textOfValue } from '../../records/record-set-view.js';
import { readApexNs, servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { keptOf } from '../zones/powerdns-zone-fields.js';
import { textOfStored } from './rrset-content.js';

/** A displayed record set. Keys are in alphabetical order: clients search the text for `name` before `records`. */
export interface RrsetView {
  readonly comments: readonly ShownComment[];
  readonly name: string;
  readonly records: readonly RrsetRecordView[];
  readonly ttl: number;
  readonly type: string;
}

interface ShownComment {
  readonly account: string;
  readonly content: string;
  readonly modified_at: number;
}

interface RrsetRecordView {
  readonly content: string;
  readonly disabled: boolean;
}

@Injectable()
export class RrsetViews {
  constructor(
    private readonly served: ServedZone,
    private readonly options: RecordsOptions,
  ) {}

  of(zone: Readonly<ZoneEntity>, sets: readonly AnnotatedSet[]): RrsetView[] {
    return sets.map((set) => this.shown(zone, set)).filter(isThere);
  }

  ofApex(zone: Readonly<ZoneEntity>, sets: readonly AnnotatedSet[]): RrsetView[] {
    const name = zone.name.toLowerCase();
    const isNs = ({ type }: AnnotatedSet): boolean => type === NS.name;
    const comments = keptOf(zone).soaComments.map(shownComment);
    const ttl = servedSoaTtl(zone);
    const soa = { comments, name, records: [enabled(this.served.soaTextOf(zone))], ttl, type: SOA.name };
    // A secondary zone is empty before its first transfer.
    const isMade = zone.type === 'PRIMARY' || zone.transferredAt !== null;
    const others = sets.filter((set) => !isNs(set));
    return [
      ...(isMade ? [soa, ...[this.apexNs(zone, sets.find(isNs))].filter(isThere)] : []),
      ...this.of(zone, others),
    ];
  }

  /** A zone that was created without name servers displays none. */
  private apexNs(zone: Readonly<ZoneEntity>, stored: AnnotatedSet | undefined): RrsetView {
    const own = readApexNs(zone);
    const names = own === null ? this.served.nameServersOf(zone) : own.names;
    const there = new Set(names.map((name) => name.toLowerCase()));
    const base = stored === undefined ? null : this.shown(zone, stored);
    const others = base?.records.filter(({ content, disabled }) => disabled || !there.has(content.toLowerCase())) ?? [];
    const hasRecords = stored !== undefined && stored.records.length > 0;
    return {
      comments: base?.comments ?? [],
      name: zone.name.toLowerCase(),
      records: [...names.map(enabled), ...others].sort(byContent),
      ttl: (hasRecords ? stored.ttl : (own?.ttl ?? null)) ?? zone.ttl,
      type: NS.name,
    };
  }

  private shown(zone: Readonly<ZoneEntity>, set: AnnotatedSet): RrsetView {
    const { name, type, ttl, comments, disabled } = set;
    const records: RrsetRecordView[] = [];
    for (const record of set.records) {
      const content = textOfStored(this.options.knownTypes, record);
      if (content !== null) records.push(enabled(content));
    }
    if (disabled.length > 0) {
      // Another interface may have created an enabled record of the same value.
      const there = new Set(records.map(({ content }) => content));
      for (const content of disabled.map(textOfValue))
        if (!there.has(content)) records.push({ content, disabled: true });
    }
    if (records.length > 1) records.sort(byContent);
    return { comments: comments.map(shownComment), name: name.toLowerCase(), records, ttl: ttl ?? zone.ttl, type };
  }
}

function enabled(content: string): RrsetRecordView {
  return { content, disabled: false };
}

/** PowerDNS sorts by content. */
function byContent({ content: one }: RrsetRecordView, { content: other }: RrsetRecordView): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function shownComment({ account, content, modifiedAt }: SetComment): ShownComment {
  return { account, content, modified_at: modifiedAt };
}

export function enabledOf(sets: readonly RrsetView[]): RrsetView[] {
  return sets.map((set) => ({ ...set, records: set.records.filter(({ disabled }) => !disabled) })).filter(isThere);
}

/** Hides empty sets of other interfaces. */
function isThere({ records, comments }: RrsetView): boolean {
  return records.length > 0 || comments.length > 0;
}
