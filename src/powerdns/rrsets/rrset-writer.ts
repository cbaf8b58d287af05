import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { NS } from '../../dns/rdata/name-types.js';
import { SOA } from '../../dns/rdata/soa.js';
import { OperationsRefused } from '../../records/changes/operation-list.js';
import { RecordChanges } from '../../records/changes/record-changes.js';
import type { RecordOperation } from '../../records/changes/record-operation.js';
import { RecordsOptions } from '../../records/records.options.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { assertMailbox, assertTtlAllowed, keptColumn } from '../../zones/zone-fields.js';
import type { ZoneAmendment } from '../../zones/changes/zone-change.js';
import { keptWith } from '../zones/powerdns-zone-fields.js';
import { readApexNs, servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { PowerDnsOptions } from '../powerdns.options.js';
import { unprocessable } from '../input.js';
import { amendApexNs, amendSoa, mailboxIn, sendsShownNs } from './apex.js';
import { folded, type FoldedSet, operationOf } from './folded-set.js';
import { readChanges, type RrsetInput } from './rrset-input.js';

export interface Serials {
  readonly old: number;
  readonly new: number;
}

/** Applies record set changes as one change, validated by its result (behaviour 21.6). */
@Injectable()
export class RrsetWriter {
  constructor(
    private readonly changes: RecordChanges,
    private readonly served: ServedZone,
    private readonly records: RecordsOptions,
    private readonly clock: Clock,
    private readonly options: PowerDnsOptions,
  ) {}

  async patch(zone: Readonly<ZoneEntity>, body: unknown, caller: Caller): Promise<Serials> {
    const types = zone.type === 'SECONDARY' ? this.records.knownTypes : this.records.types;
    const reading = { types, zone, now: this.clock.now() };
    return this.apply(zone, await readChanges(body, reading, this.options.maxRrsets), caller);
  }

  /** @param more operations on the zone itself */
  async apply(
    zone: Readonly<ZoneEntity>,
    rrsets: readonly RrsetInput[],
    caller: Caller,
    more: readonly RecordOperation[] = [],
  ): Promise<Serials> {
    const operations = [...this.operationsOf(zone, rrsets, caller), ...more];
    try {
      const { formerSerial, serial } = await this.changes.apply(zone.id, caller, operations);
      return { old: formerSerial, new: serial };
    } catch (error) {
      throw inWordsOfPowerDns(error);
    }
  }

  private operationsOf(zone: Readonly<ZoneEntity>, rrsets: readonly RrsetInput[], caller: Caller): RecordOperation[] {
    return [
      ...rrsets.filter(({ type }) => type === SOA.name).map((rrset) => this.soaOperation(zone, rrset, caller)),
      ...folded(rrsets.filter(({ type }) => type !== SOA.name)).flatMap((set) => this.setOperations(zone, set)),
    ];
  }

  /** Apex NS are zone fields. A request that lists all of them also deletes stored NS records. */
  private setOperations(zone: Readonly<ZoneEntity>, set: FoldedSet): RecordOperation[] {
    if (set.type !== NS.name || set.ownerKey !== zone.nameKey) return [operationOf(set, zone.ttl)];
    const generated = readApexNs(zone) === null ? this.served.nameServersOf(zone) : [];
    const disabled = set.records?.filter(({ isDisabled }) => isDisabled) ?? null;
    const added = set.added.filter(({ isDisabled }) => isDisabled);
    const beside = { ...set, added, expectedTtl: null, records: set.records && disabled };
    const amend = amendApexNs(set, generated);
    // The zone first: its validation reads the stored records.
    return [
      { action: 'amend zone', amend: (now, recordsOf) => amend(now, recordsOf(set)) },
      { ...operationOf(beside, zone.ttl), keepsRecords: sendsShownNs(set, generated) },
    ];
  }

  private soaOperation(zone: Readonly<ZoneEntity>, rrset: RrsetInput, caller: Caller): RecordOperation {
    const { name, ownerKey, ttl, soa, comments, changetype } = rrset;
    if (ownerKey !== zone.nameKey) throw unprocessable(`RRset ${name} IN SOA is only allowed at apex`);
    if (changetype === 'DELETE') throw unprocessable(`RRset ${name} IN SOA: a zone has an SOA`);
    const keep = (now: Readonly<ZoneEntity>): ZoneAmendment =>
      comments === null ? {} : { keptFields: keptColumn(now, keptWith({ soaComments: comments })) };
    if (soa === null) return { action: 'amend zone', amend: keep };
    const email = mailboxIn(name, soa);
    if (email !== zone.email) assertMailbox(email);
    if (ttl !== null && ttl !== servedSoaTtl(zone)) assertTtlAllowed(ttl, this.records.minTtl, caller);
    const amend = amendSoa(email, ttl, (now) => this.served.soaTextOf(now));
    return { action: 'amend zone', amend: (now) => ({ ...amend(now), ...keep(now) }) };
  }
}

function placementWords(message: string, other: string): string {
  if (/\b(?:NS cannot stand beside DNAME|DNAME cannot stand beside NS)\b/.test(message))
    return 'Cannot have both NS and DNAME except in zone apex';
  const isAtApex = message.includes('stand at the apex');
  const place = isAtApex ? ', not allowed at apex, where it conflicts with existing NS RRset' : '';
  return `Conflicts with ${other} RRset${place}`;
}

/** Translates an error into the wording of PowerDNS, as for a single operation. */
export function inWordsOfPowerDns(error: unknown, other = 'pre-existing'): Error {
  if (!(error instanceof ServiceError)) return error instanceof Error ? error : new Error(String(error));
  const { code, message } = error;
  if (code === 'invalid_location') return new ServiceError(code, `${placementWords(message, other)}: ${message}`);
  return error instanceof OperationsRefused ? new ServiceError(code, message) : error;
}
