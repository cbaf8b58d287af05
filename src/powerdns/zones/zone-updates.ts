import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { NS } from '../../dns/rdata/name-types.js';
import { SOA } from '../../dns/rdata/soa.js';
import { Reads } from '../../database/reads.js';
import { type AnnotatedSet, AnnotatedSets } from '../../records/annotated-sets.repository.js';
import { RecordsOptions } from '../../records/records.options.js';
import { keptColumn } from '../../zones/zone-fields.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { PowerDnsOptions } from '../powerdns.options.js';
import { RrsetWriter } from '../rrsets/rrset-writer.js';
import { readContents, type RrsetInput } from '../rrsets/rrset-input.js';
import * as sent from '../input.js';
import { type PowerDnsZoneFields, keptWith, readZoneFields, type ZoneFieldsInput } from './powerdns-zone-fields.js';

@Injectable()
export class ZoneUpdates {
  constructor(
    private readonly zones: ZonesService,
    private readonly changes: RrsetWriter,
    private readonly sets: AnnotatedSets,
    private readonly reads: Reads,
    private readonly records: RecordsOptions,
    private readonly clock: Clock,
    private readonly options: PowerDnsOptions,
  ) {}

  async update(zone: ZoneEntity, value: unknown, caller: Caller): Promise<void> {
    const body = sent.objectIn(value, 'The body');
    const fields = readZoneFields(body);
    assertSameRole(zone, fields);
    const { kind: _, masters, ...others } = fields;
    const kept = { ...others, ...(zone.type === 'PRIMARY' && keptKind(fields)) };
    const rrsets = sent.listIn(body, 'rrsets');
    if (rrsets !== undefined && zone.type === 'PRIMARY') return this.replaceAll(zone, rrsets, kept, caller);
    // Sets of a secondary zone must equal the stored ones.
    if (rrsets !== undefined) await this.replaceAll(zone, rrsets, {}, caller);
    const ofSecondary = zone.type === 'SECONDARY' && masters !== undefined ? { masters } : {};
    await this.zones.update(zone.id, { keptFields: keptWith(kept), ...ofSecondary }, caller);
  }

  /** Deletes absent sets with their comments and disabled records. */
  private async replaceAll(
    zone: ZoneEntity,
    rrsets: readonly unknown[],
    kept: Partial<PowerDnsZoneFields>,
    caller: Caller,
  ): Promise<void> {
    const { maxRrsets } = this.options;
    if (zone.recordSetCount > maxRrsets)
      sent.refuse(`The zone has more than ${maxRrsets} rrsets: change them one by one`);
    const types = zone.type === 'SECONDARY' ? this.records.knownTypes : this.records.types;
    const reading = { types, zone, now: this.clock.now() };
    const wanted = await readContents(rrsets, reading, maxRrsets);
    if (zone.type === 'PRIMARY' && !wanted.some(({ type }) => type === SOA.name))
      sent.refuse('Must give SOA record for zone when replacing all RR sets');
    const keys = new Set(wanted.map(keyOf));
    const gone = (await this.present(zone)).filter((set) => !keys.has(keyOf(set)));
    const keptFields = (now: Readonly<ZoneEntity>): string | null => keptColumn(now, keptWith(kept));
    const amendZone = {
      action: 'amend zone',
      amend: (now: Readonly<ZoneEntity>) => ({ keptFields: keptFields(now) }),
    } as const;
    await this.changes.apply(zone, [...gone, ...wanted.map(withoutComments)], caller, [amendZone]);
  }

  /** Deletions of all stored sets, and of apex NS even if none are stored. */
  private async present({ id, name, nameKey }: ZoneEntity): Promise<RrsetInput[]> {
    const deletion = { changetype: 'DELETE', ttl: null, records: null, comments: null, soa: null } as const;
    const found = [{ ...deletion, name, ownerKey: nameKey, type: NS.name }] as RrsetInput[];
    await this.reads.run(async (tx) => {
      for await (const sets of this.sets.all(tx, id))
        for (const set of sets)
          if (isShown(set) && keyOf(set) !== `${nameKey} ${NS.name}`) found.push({ ...deletion, ...named(set) });
    });
    return found;
  }
}

function keyOf({ ownerKey, type }: Pick<RrsetInput, 'ownerKey' | 'type'>): string {
  return `${ownerKey} ${type}`;
}

/** Empty sets of version 2 do not exist in this API. */
function isShown({ records, disabled, comments }: AnnotatedSet): boolean {
  return records.length + disabled.length + comments.length > 0;
}

function named({ name, ownerKey, type }: Pick<RrsetInput, 'name' | 'ownerKey' | 'type'>) {
  return { name, ownerKey, type };
}

/** A whole zone also replaces comments. */
function withoutComments(set: RrsetInput): RrsetInput {
  return { ...set, comments: set.comments ?? [] };
}

function keptKind({ kind, masters }: ZoneFieldsInput): Partial<PowerDnsZoneFields> {
  return { ...(kind === 'Native' || kind === 'Master' ? { kind } : {}), ...(masters !== undefined && { masters }) };
}

function assertSameRole({ name, type }: ZoneEntity, { kind }: ZoneFieldsInput): void {
  if (kind === undefined || (kind === 'Slave') === (type === 'SECONDARY')) return;
  sent.refuse(`${name} is a ${type.toLowerCase()} zone from its beginning: delete it and make another one`);
}
