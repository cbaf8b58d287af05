import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { MAX_MESSAGE } from '../../common/field-limits.js';
import { groupedBy } from '../../common/grouped.js';
import { isText } from '../../common/json.js';
import { readField, ServiceError } from '../../common/service-error.js';
import { Slices } from '../../common/waiting/slices.js';
import { DomainName, NameError } from '../../dns/name.js';
import { invalidBody } from '../../http/api-interface.js';
import { RefusalInWords } from '../../http/errors/error-table.js';
import { decidingFault, OperationsRefused } from '../../records/changes/operation-list.js';
import { RecordChanges } from '../../records/changes/record-changes.js';
import type { AmendSetOperation } from '../../records/changes/record-operation.js';
import type { RecordContent } from '../../records/record-content.js';
import type { RecordEntity } from '../../records/record.entity.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { ExternalDnsOptions } from '../external-dns.options.js';
import { type Endpoint, EndpointForm, isApexNs, readEndpoint } from './endpoint-form.js';

const LISTS = ['create', 'updateOld', 'updateNew', 'delete'] as const;
type List = (typeof LISTS)[number];

interface SentEndpoint extends Endpoint {
  readonly list: List;
  readonly owner: DomainName;
}

/** `before`: as external-dns has read the set, `null` if absent; `after`: the new records, `null` to delete. */
interface SetChange {
  readonly name: string;
  readonly ownerKey: string;
  readonly type: string;
  readonly before: readonly RecordContent[] | null;
  readonly after: readonly RecordContent[] | null;
}

/** By name key. */
type Zones = ReadonlyMap<string, ZoneEntity>;

interface ZoneRefusal {
  readonly zone: ZoneEntity;
  readonly error: ServiceError;
}

/** Distinct parent names of a request: each is looked up. */
const MOST_PARENTS = 20_000;
const LOOKED_UP = 500;
const LOGGED = 500;
const HERITAGE = /^"?heritage=external-dns\b/;
/** Its TXT records are below their names. */
const HELPFUL_PREFIX = '--txt-prefix=%{record_type}-claim.';

/** Applies the changes of one run of external-dns, one change set for each zone (behaviour 25.7, 25.8). */
@Injectable()
export class EndpointWriter {
  private readonly logger = new Logger(EndpointWriter.name);

  constructor(
    private readonly zones: ZonesService,
    private readonly form: EndpointForm,
    private readonly changes: RecordChanges,
    private readonly options: ExternalDnsOptions,
  ) {}

  /** @throws ServiceError the first refusal, after the changes of all other zones */
  async apply(body: unknown, caller: Caller): Promise<void> {
    try {
      await this.applyAll(await this.read(body), caller);
    } catch (error) {
      // external-dns logs the status alone.
      if (error instanceof ServiceError)
        this.logger.warn(`Refused changes of external-dns (${caller.requestId}): ${error.message.slice(0, LOGGED)}`);
      throw error;
    }
  }

  private async applyAll(sent: readonly SentEndpoint[], caller: Caller): Promise<void> {
    const zones = await this.zonesAbove(sent, caller);
    const refusals: ZoneRefusal[] = [];
    const byZone = groupedBy(this.withoutFarClaims(sent, zones), (endpoint) => zoneAbove(zones, endpoint));
    for (const [zone, ofZone] of byZone)
      try {
        await this.applyTo(zone, ofZone, caller);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        refusals.push({ zone, error });
      }
    const [first] = refusals;
    if (first !== undefined) throw inWords(first, byZone.size - refusals.length);
  }

  /** external-dns claims example.org by a TXT record at a-example.org, and its own providers skip this record. */
  private withoutFarClaims(sent: readonly SentEndpoint[], zones: Zones): SentEndpoint[] {
    const isFarClaim = (endpoint: SentEndpoint): boolean => isClaim(endpoint) && closestZone(zones, endpoint) === null;
    const [far] = sent.filter(isFarClaim);
    if (far === undefined) return [...sent];
    this.logger.warn(`Skipped TXT record ${far.dnsName} of external-dns: it is in no zone. Use ${HELPFUL_PREFIX}.`);
    return sent.filter((endpoint) => !isFarClaim(endpoint));
  }

  private async read(body: unknown): Promise<SentEndpoint[]> {
    const lists = listsIn(body);
    const { maxEndpoints } = this.options;
    if (lists.reduce((sum, { endpoints }) => sum + endpoints.length, 0) > maxEndpoints)
      throw new ServiceError('file_too_large', `A request changes at most ${maxEndpoints} endpoints.`);
    const slices = new Slices();
    const read: SentEndpoint[] = [];
    for (const { list, endpoints } of lists)
      for (const value of endpoints) {
        const endpoint = readEndpoint(value);
        const { dnsName, setIdentifier, targets } = endpoint;
        if (setIdentifier !== '')
          throw invalidBody(`${dnsName}: a name has one record set of a type; setIdentifier is not supported.`);
        const owner = readField('dnsName', NameError, () => DomainName.parse(`${dnsName}.`));
        read.push({ ...endpoint, list, owner });
        if (slices.isOver(targets.join().length)) await slices.pause();
      }
    return read;
  }

  /** All primary zones of the caller above the names, by key. */
  private async zonesAbove(sent: readonly SentEndpoint[], caller: Caller): Promise<Zones> {
    const names = new Set<string>();
    for (const { dnsName } of sent) {
      for (let at = -1; !names.has(dnsName.slice(at + 1));) {
        names.add(dnsName.slice(at + 1));
        at = dnsName.indexOf('.', at + 1);
        if (at < 0) break;
      }
      if (names.size > MOST_PARENTS)
        throw new ServiceError(
          'file_too_large',
          `The names have more than ${MOST_PARENTS} parents; send fewer endpoints.`,
        );
    }
    const all = [...names].map((name) => `${name}.`);
    const zones = new Map<string, ZoneEntity>();
    for (let from = 0; from < all.length; from += LOOKED_UP)
      for (const zone of await this.zones.namedAmong(all.slice(from, from + LOOKED_UP), caller))
        if (zone.type === 'PRIMARY') zones.set(zone.nameKey, zone);
    return zones;
  }

  private async applyTo(zone: ZoneEntity, sent: readonly SentEndpoint[], caller: Caller): Promise<void> {
    const sets = new Map<string, SetChange>();
    const slices = new Slices();
    for (const endpoint of sent) {
      const { dnsName, owner, recordType: type, list, targets } = endpoint;
      const set = { name: `${dnsName}.`, ownerKey: owner.key, type };
      if (isApexNs(zone, set))
        throw new ServiceError(
          'change_not_allowed',
          `${dnsName} NS: these are name servers of the zone; change them there.`,
        );
      const key = `${owner.key} ${type}`;
      const contents = naming(set, () => this.form.contentsOf(endpoint, caller));
      sets.set(key, withEndpoint(sets.get(key) ?? { ...set, before: null, after: null }, list, contents));
      if (slices.isOver(targets.join().length)) await slices.pause();
    }
    // An `updateOld` alone asks for nothing.
    const asked = new Set(
      sent.filter(({ list }) => list !== 'updateOld').map(({ owner, recordType }) => `${owner.key} ${recordType}`),
    );
    const operations = [...sets].filter(([key]) => asked.has(key)).map(([, set]) => operationOf(set));
    try {
      await this.changes.apply(zone.id, { ...caller, message: messageOf(sent) }, operations);
    } catch (error) {
      throw error instanceof OperationsRefused ? ofOperation(error, operations) : error;
    }
  }
}

/** Field names in any case, as Go reads them: releases before 0.17 write `UpdateNew`. */
function listsIn(body: unknown): { readonly list: List; readonly endpoints: readonly unknown[] }[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidBody('The body is no object of changes.');
  return Object.entries(body).flatMap(([field, value]) => {
    const list = LISTS.find((name) => name.toLowerCase() === field.toLowerCase());
    if (list === undefined || value === null) return [];
    if (!Array.isArray(value)) throw invalidBody(`${list} is no list of endpoints.`);
    return [{ list, endpoints: value as unknown[] }];
  });
}

function closestZone(zones: Zones, { owner: { key } }: SentEndpoint): ZoneEntity | null {
  for (let end = key.length; end > 0; end = key.lastIndexOf(' ', end - 1)) {
    const zone = zones.get(key.slice(0, end));
    if (zone !== undefined) return zone;
  }
  return null;
}

/** @throws ServiceError `invalid_object` */
function zoneAbove(zones: Zones, endpoint: SentEndpoint): ZoneEntity {
  const zone = closestZone(zones, endpoint);
  if (zone !== null) return zone;
  const message = `${endpoint.dnsName} is in no primary zone of this credential; limit external-dns with --domain-filter.`;
  throw ServiceError.ofField('invalid_object', 'dnsName', 'format', message);
}

/** @throws ServiceError `invalid_object` for two different endpoints of one set */
function withEndpoint(set: SetChange, list: List, contents: readonly RecordContent[]): SetChange {
  if (list === 'updateOld' || list === 'delete') return { ...set, before: contents };
  if (set.after !== null && !hasRecords(set.after, contents))
    throw invalidBody(`${set.name} ${set.type}: two different endpoints are for this record set; send one.`);
  return { ...set, after: contents };
}

function hasRecords(
  contents: readonly RecordContent[],
  records: readonly Pick<RecordContent, 'fingerprint'>[],
): boolean {
  const wanted = new Set(contents.map(({ fingerprint }) => fingerprint));
  return records.length === wanted.size && records.every(({ fingerprint }) => wanted.has(fingerprint));
}

function operationOf({ name, ownerKey, type, before, after }: SetChange): AmendSetOperation {
  const expectRecords = (records: readonly RecordEntity[]): void => {
    if (records.length === 0 || (after !== null && hasRecords(after, records))) return;
    if (before !== null && (hasRecords(before, records) || (isHeritage(before) && isHeritage(records)))) return;
    const message = 'others have changed this record set; external-dns will read it again.';
    throw new ServiceError('precondition_failed', message, [], RETRY_AFTER_S);
  };
  // Names and text may be stored in another form, such as capital letters.
  const keepsRecords = (zone: Readonly<ZoneEntity>, records: readonly RecordEntity[]): boolean =>
    after !== null && hasRecords(after, records) && isServedTtl(after[0]?.ttl ?? null, zone, records);
  return { action: 'amend set', name, ownerKey, type, contents: after ?? [], expectRecords, keepsRecords };
}

const RETRY_AFTER_S = 2;

/** external-dns does not compare TTLs that it was not given. */
function isServedTtl(sent: number | null, zone: Readonly<ZoneEntity>, records: readonly RecordEntity[]): boolean {
  const own = records.map(({ ttl }) => ttl).filter((ttl) => ttl !== null);
  return sent === null || sent === (own.length > 0 ? Math.min(...own) : zone.ttl);
}

function isClaim({ recordType, targets }: Endpoint): boolean {
  return recordType === 'TXT' && targets.every((target) => HERITAGE.test(target));
}

function isHeritage(records: readonly Pick<RecordContent, 'type' | 'data'>[]): boolean {
  return records.every(({ type, data }) => type === 'TXT' && HERITAGE.test(data));
}

/** For the history: the Kubernetes resources, which external-dns keeps in labels. */
function messageOf(sent: readonly SentEndpoint[]): string {
  const labels = sent.flatMap(({ labels: all }) => (isText(all?.resource) ? [all.resource] : []));
  const [first, ...others] = new Set(labels.filter((label) => label !== ''));
  if (first === undefined) return 'external-dns';
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `external-dns: ${first.slice(0, MAX_MESSAGE / 2)}${more}`;
}

function naming<T>({ name, type }: Pick<SetChange, 'name' | 'type'>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, `${name} ${type}: ${error.message}`, error.errors, error.retryAfter);
  }
}

function ofOperation(refused: OperationsRefused, operations: readonly AmendSetOperation[]): ServiceError {
  const { index, error } = decidingFault(refused.faults) ?? { index: 0, error: refused };
  const set = operations[index];
  const words = set === undefined ? error.message : `${set.name} ${set.type}: ${error.message}`;
  return new ServiceError(error.code, words, error.errors, error.retryAfter, error.firstFacts);
}

function inWords({ zone, error }: ZoneRefusal, changed: number): ServiceError {
  const others = changed === 0 ? '' : ` ${changed} other ${changed === 1 ? 'zone is' : 'zones are'} changed.`;
  const message = `Zone ${zone.name.toLowerCase()} is unchanged: ${error.message}${others}`;
  return new RefusalInWords(error.code, message, error.errors, error.retryAfter, error.firstFacts);
}
