import { Injectable } from '@nestjs/common';
import { NS } from '../../dns/rdata/ns.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { AnnotatedSet } from '../../records/annotated-sets.repository.js';
import { RecordsOptions } from '../../records/records.options.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { SetComment } from '../../records/set-annotations.js';
import { textOfValue } from '../../records/value-text.js';
import { readApexNs } from '../../zones/apex-ns.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { keptOf } from '../zones/powerdns-zone-fields.js';
import { textOfStored } from './rrset-content.js';

/** A record set as it is shown. Keys are in alphabetical order: clients look for `name` before `records` in the text. */
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

/** Shows record sets, and those that the service makes itself. */
@Injectable()
export class RrsetViews {
  constructor(
    private readonly served: ServedZone,
    private readonly options: RecordsOptions,
  ) {}

  of(zone: Readonly<ZoneEntity>, sets: readonly AnnotatedSet[]): RrsetView[] {
    return sets.map((set) => this.shown(zone, set)).filter(isThere);
  }

  /** The sets of the apex: SOA and NS first, wherever they come from. */
  ofApex(zone: Readonly<ZoneEntity>, sets: readonly AnnotatedSet[]): RrsetView[] {
    const name = zone.name.toLowerCase();
    const isNs = ({ type }: AnnotatedSet): boolean => type === NS.name;
    const comments = keptOf(zone).soaComments.map(shownComment);
    const ttl = servedSoaTtl(zone);
    const soa = { comments, name, records: [enabled(this.served.soaTextOf(zone))], ttl, type: SOA.name };
    // A secondary zone that has not come from its masters has nothing.
    const isMade = zone.type === 'PRIMARY' || zone.transferredAt !== null;
    return [
      ...(isMade ? [soa, ...[this.apexNs(zone, sets.find(isNs))].filter(isThere)] : []),
      ...this.of(
        zone,
        sets.filter((set) => !isNs(set)),
      ),
    ];
  }

  /** Without own ones of a zone that has been asked to have its own, nothing is shown: it shows what it was sent. */
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
      // A record of the same value may have been made through another interface.
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

/** The order of PowerDNS. */
function byContent({ content: one }: RrsetRecordView, { content: other }: RrsetRecordView): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function shownComment({ account, content, modifiedAt }: SetComment): ShownComment {
  return { account, content, modified_at: modifiedAt };
}

/** The sets without their disabled records. */
export function enabledOf(sets: readonly RrsetView[]): RrsetView[] {
  return sets.map((set) => ({ ...set, records: set.records.filter(({ disabled }) => !disabled) })).filter(isThere);
}

/** Sets that other interfaces keep without anything in them are not shown. */
function isThere({ records, comments }: RrsetView): boolean {
  return records.length > 0 || comments.length > 0;
}
