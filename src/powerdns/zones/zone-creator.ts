import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { Transaction } from '../../database/transaction.js';
import { NameError, DomainName } from '../../dns/name.js';
import { NS } from '../../dns/rdata/name-types.js';
import { SOA } from '../../dns/rdata/soa.js';
import { parseZoneName } from '../../dns/owner-name.js';
import { InnerOperations } from '../../records/changes/inner-operations.js';
import type { AmendSetOperation } from '../../records/changes/record-operation.js';
import { RecordsOptions } from '../../records/records.options.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import type { ApexNs } from '../../plugins/change-listener.js';
import type { NewSecondaryZone, NewZone } from '../../zones/zone-fields.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { PowerDnsOptions } from '../powerdns.options.js';
import { apexNsOf, mailboxIn } from '../rrsets/apex.js';
import { folded, type FoldedSet, operationOf } from '../rrsets/folded-set.js';
import { inWordsOfPowerDns } from '../rrsets/rrset-writer.js';
import { readContent } from '../rrsets/rrset-content.js';
import {
  assertParsed,
  type Reading,
  readContents,
  type ContentInput,
  type RrsetInput,
  onlyOne,
} from '../rrsets/rrset-input.js';
import { refuse } from '../input.js';
import * as sent from '../input.js';
import { keptWith, readZoneFields, type ZoneFieldsInput } from './powerdns-zone-fields.js';
import { MasterFileReader } from '../../dns/master-file/master-file-reader.js';
import type { MasterFileError, MasterFileRecord } from '../../dns/master-file/master-file.js';
import { contentOf } from '../../records/record-content.js';
import { type DroppedRecord, SigningRecords } from '../../zone-files/import/dropped-records.js';

/** Sets written between two turns of the event loop. */
const PORTION = 500;
/** The default of PowerDNS. */
const MAILBOX = 'hostmaster';

@Injectable()
export class PowerDnsZoneCreator {
  constructor(
    private readonly zones: ZonesService,
    private readonly inner: InnerOperations,
    private readonly records: RecordsOptions,
    private readonly clock: Clock,
    private readonly options: PowerDnsOptions,
  ) {}

  async make(value: unknown, caller: Caller, { isDryRun = false }: MakingOptions = {}): Promise<ZoneEntity> {
    const body = sent.objectIn(value, 'The body');
    const name = sent.neededText(body, 'name');
    sent.assertCanonical(name);
    const fields = readZoneFields(body);
    const { kind = sent.refuse("Key 'kind' not present or not a String") } = fields;
    const zone = { name, nameKey: keyOf(name) };
    const rrsets = await this.contentsOf(body, { types: this.records.types, zone, now: this.clock.now() });
    const nameServers = readNameServers(sent.listIn(body, 'nameservers') ?? [], zone, this.records);
    const draft =
      kind === 'Slave'
        ? secondaryOf(zone.name, fields, [...rrsets, ...nameServers])
        : this.primaryOf(zone, { ...fields, kind }, { rrsets, nameServers });
    return isDryRun ? this.tryMaking(draft, caller) : this.create(draft, caller);
  }

  private async contentsOf(body: sent.InputObject, reading: Reading): Promise<readonly RrsetInput[]> {
    const rrsets = sent.listIn(body, 'rrsets');
    const text = sent.textIn(body, 'zone', Infinity) ?? '';
    if (text === '') return readContents(rrsets ?? [], reading, this.options.maxRrsets);
    if (rrsets !== undefined && rrsets.length > 0) sent.refuse('You cannot give rrsets AND zone data as text');
    return readZoneText(text, reading, this.options.maxRrsets);
  }

  private primaryOf(
    { name, nameKey }: Reading['zone'],
    fields: ZoneFieldsInput & { readonly kind: 'Native' | 'Master' },
    { rrsets, nameServers }: { readonly rrsets: readonly RrsetInput[]; readonly nameServers: readonly ContentInput[] },
  ): DraftedZone {
    const soa = rrsets.find(({ type }) => type === SOA.name);
    const isApexNs = ({ type, ownerKey }: RrsetInput): boolean => type === NS.name && ownerKey === nameKey;
    const apexNs = rrsets.find(isApexNs);
    if (soa !== undefined && soa.ownerKey !== nameKey) sent.refuse(`RRset ${soa.name} IN SOA is only allowed at apex`);
    if (apexNs !== undefined && nameServers.length > 0)
      sent.refuse('Nameservers list MUST NOT be mixed with zone-level NS in rrsets');
    const body: NewZone = {
      name,
      email: soa === undefined || soa.soa === null ? this.mailboxOf(name) : mailboxIn(name, soa.soa),
      soaTtl: soa?.ttl ?? null,
      apexNs: ownNsOf(apexNs, nameServers),
      keptFields: keptWith({ ...fields, ...(soa?.comments && { soaComments: soa.comments }) })({}),
    };
    const others = rrsets.filter((set) => set !== soa && !(isApexNs(set) && hasRecordsAlone(set)));
    const operations = folded(others).map((set) => operationOf(isApexNsSet(set, nameKey) ? besideNs(set) : set, 0));
    return { body, operations };
  }

  private async create({ body, operations }: DraftedZone, caller: Caller): Promise<ZoneEntity> {
    try {
      if (operations.length === 0) return await this.zones.create(body, caller);
      return await this.zones.create(body, caller, { fill: (change, tx) => this.fill(change, tx, operations) });
    } catch (error) {
      throw inWordsOfPowerDns(error, 'another');
    }
  }

  /** Creates the zone in a transaction that rolls back. */
  private async tryMaking({ body, operations }: DraftedZone, caller: Caller): Promise<ZoneEntity> {
    const tried: ZoneEntity[] = [];
    const fill = async (change: ZoneChange, tx: Transaction): Promise<void> => {
      await this.fill(change, tx, operations);
      tried.push(change.zoneAfter);
      throw new TryEnded();
    };
    try {
      return await this.zones.create(body, caller, { fill });
    } catch (error) {
      const [zone] = tried;
      if (error instanceof TryEnded && zone !== undefined) return zone;
      throw inWordsOfPowerDns(error, 'another');
    }
  }

  private async fill(change: ZoneChange, tx: Transaction, operations: readonly AmendSetOperation[]): Promise<void> {
    for (let at = 0; at < operations.length; at += PORTION) {
      if (at > 0) await nextTurn();
      await this.inner.applyAll(tx, change, operations.slice(at, at + PORTION));
    }
  }

  /** Falls back to the name server for zone names that no mailbox can have. */
  private mailboxOf(name: string): string {
    const host = name.slice(0, -1);
    const [own = 'localhost.'] = this.zones.nameServers;
    return /^[A-Za-z0-9._-]{1,240}$/.test(host) ? `${MAILBOX}@${host}` : `${MAILBOX}@${own.slice(0, -1)}`;
  }
}

class TryEnded extends Error {}

interface MakingOptions {
  readonly isDryRun?: boolean;
}

interface DraftedZone {
  readonly body: NewZone | NewSecondaryZone;
  readonly operations: readonly AmendSetOperation[];
}

function secondaryOf(
  name: string,
  { masters = [], kind: _, ...fields }: ZoneFieldsInput,
  contents: readonly unknown[],
): DraftedZone {
  if (contents.length > 0) sent.refuse('The records of a secondary zone come from its masters');
  return { body: { name, masters, keptFields: keptWith(fields)({}) }, operations: [] };
}

function keyOf(name: string): string {
  assertParsed(name, 'Unable to parse Zone Name: ');
  try {
    return parseZoneName(name).key;
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    return sent.refuse(`Zone name '${name.slice(0, 255)}' contains unsupported characters (${error.message})`);
  }
}

function readNameServers(
  list: readonly unknown[],
  { name }: Reading['zone'],
  { types }: RecordsOptions,
): ContentInput[] {
  return list.map((nameServer) => {
    if (typeof nameServer !== 'string') return sent.refuse('Nameservers are strings');
    if (!nameServer.endsWith('.')) sent.refuse(`Nameserver is not canonical: '${nameServer.slice(0, 255)}'`);
    return { content: readContent(types, { name, type: NS.name, ttl: null }, nameServer), isDisabled: false };
  });
}

function ownNsOf(set: RrsetInput | undefined, nameServers: readonly ContentInput[]): ApexNs {
  return set === undefined ? apexNsOf(nameServers, null) : apexNsOf(set.records ?? [], set.ttl);
}

function hasRecordsAlone({ records, comments }: RrsetInput): boolean {
  return (comments ?? []).length === 0 && (records ?? []).every(({ isDisabled }) => !isDisabled);
}

function isApexNsSet(
  { type, ownerKey }: { readonly type: string; readonly ownerKey: string },
  nameKey: string,
): boolean {
  return type === NS.name && ownerKey === nameKey;
}

/** The part of apex NS that is stored as a record set. */
function besideNs(set: FoldedSet): FoldedSet {
  return { ...set, records: set.records?.filter(({ isDisabled }) => isDisabled) ?? null };
}

/** The TTL of records without one, in seconds. */
const DEFAULT_TTL = 3600;

/** Reads record sets from a master file. @throws ServiceError for the first error */
export function readZoneText(text: string, { types, zone }: Reading, most: number): RrsetInput[] {
  const origin = DomainName.parse(zone.name);
  const sets = new Map<string, RrsetInput & { readonly records: ContentInput[] | null }>();
  const add = (record: MasterFileRecord): void => {
    const { owner, type, ttl } = record;
    const key = `${owner.key} ${type.name}`;
    const found = sets.get(key);
    const name = owner.toString();
    if (!owner.isWithin(origin)) refuse(`RRset ${name} IN ${type.name}: Name is out of zone`);
    if (type.name === SOA.name) {
      // A file written from a transfer ends with a second SOA.
      if (found?.soa === type.toText(record.rdata)) return;
      if (found !== undefined) refuse(onlyOne(name, SOA.name));
      sets.set(key, { ...setOf(record), records: null, soa: type.toText(record.rdata) });
      return;
    }
    const content = contentOf({ ...record, ttl: found?.ttl ?? ttl ?? DEFAULT_TTL });
    // Duplicates in a file are harmless.
    if (found?.records?.some((other) => other.content.fingerprint === content.fingerprint) === true) return;
    if (found === undefined) sets.set(key, { ...setOf(record), records: [{ content, isDisabled: false }], soa: null });
    else found.records?.push({ content, isDisabled: false });
    if (sets.size > most) refuse(`A request has at most ${most} rrsets`);
  };
  const signing = new SigningRecords(origin);
  const sort = (records: readonly (MasterFileRecord | DroppedRecord)[]): void => {
    for (const record of records) if ('rdata' in record) add(record);
  };
  const fail = ({ line, message }: MasterFileError): never =>
    refuse(`Unable to parse zone data: line ${line - 1}: ${message}`);
  // With the root as origin, names outside of the zone get the PowerDNS error text.
  const reader = new MasterFileReader(
    { origin: DomainName.ROOT, types },
    {
      record: (record) => sort(signing.record(record)),
      error: fail,
      signature: (signature) => sort(signing.signature(signature)),
    },
  );
  reader.push(Buffer.from(`$ORIGIN ${zone.name}\n${text}`));
  reader.end();
  sort(signing.release());
  return [...sets.values()];
}

function setOf({ owner, type, ttl }: MasterFileRecord): Omit<RrsetInput, 'records' | 'soa'> {
  const key = { name: owner.toString(), ownerKey: owner.key, type: type.name };
  return { ...key, changetype: 'REPLACE', ttl: ttl ?? DEFAULT_TTL, comments: null };
}
