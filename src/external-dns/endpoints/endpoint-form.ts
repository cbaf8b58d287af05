import { Injectable } from '@nestjs/common';
import { mayGoBelowMinimumTtl } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { MAX_TTL } from '../../common/field-limits.js';
import { isText } from '../../common/json.js';
import { ServiceError } from '../../common/service-error.js';
import { MAX_STRING, octetsToText, textToOctets } from '../../dns/rdata/character-string.js';
import type { RecordType } from '../../dns/rdata/record-type.js';
import { invalidBody } from '../../http/api-interface.js';
import type { AnnotatedSet } from '../../records/annotated-sets.repository.js';
import { readRecordContent, type RecordContent } from '../../records/record-content.js';
import { valueOf } from '../../records/record-set-view.js';
import { RecordsOptions } from '../../records/records.options.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** `endpoint.Endpoint` of external-dns, in the fields that the service reads (behaviour 25.4). */
export interface Endpoint {
  readonly dnsName: string;
  readonly targets: readonly string[];
  readonly recordType: string;
  /** Seconds; 0 if the source has none. */
  readonly recordTTL: number;
  readonly labels: Readonly<Record<string, unknown>> | null;
  readonly setIdentifier: string;
}

/** The types that external-dns can manage. */
const TYPES: ReadonlySet<string> = new Set([
  ...['A', 'AAAA', 'CNAME', 'TXT', 'SRV', 'NS', 'PTR', 'MX', 'NAPTR', 'DNAME'],
]);
/** Characters: a name of 255 octets in `\DDD` escapes. */
const LONGEST_NAME = 1020;
/** A record takes at least 12 octets of a message of 65,535 (RFC 1035 §4.1.3, §4.2.2). */
const MOST_TARGETS = 5461;

export function isManagedType(type: string): boolean {
  return TYPES.has(type);
}

/** @throws ServiceError `invalid_object` for a value of another shape, which no release of external-dns sends */
export function readEndpoint(value: unknown): Endpoint {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidBody('An endpoint is no object.');
  const { dnsName, targets, recordType, recordTTL, labels, setIdentifier } = value as Record<string, unknown>;
  if (!isText(dnsName) || dnsName === '' || dnsName.length > LONGEST_NAME)
    throw invalidBody(`dnsName: write a name of at most ${LONGEST_NAME} characters.`);
  if (!isText(recordType) || recordType.length > LONGEST_NAME) throw invalidBody(`${dnsName}: recordType is no text.`);
  const texts = targets ?? [];
  if (!Array.isArray(texts) || texts.length > MOST_TARGETS || !texts.every(isText))
    throw invalidBody(`${dnsName}: targets is no list of at most ${MOST_TARGETS} texts.`);
  const ttl = recordTTL ?? 0;
  if (typeof ttl !== 'number' || !Number.isInteger(ttl)) throw invalidBody(`${dnsName}: recordTTL is no integer.`);
  if (typeof (labels ?? {}) !== 'object') throw invalidBody(`${dnsName}: labels is no object.`);
  return {
    dnsName: dnsName.replace(/\.$/, '').toLowerCase(),
    targets: texts,
    recordType,
    recordTTL: Math.min(Math.max(ttl, 0), MAX_TTL),
    labels: (labels ?? null) as Endpoint['labels'],
    setIdentifier: isText(setIdentifier) ? setIdentifier : '',
  };
}

/** Converts between endpoints and records, in one normal form (behaviour 25.5). */
@Injectable()
export class EndpointForm {
  constructor(private readonly records: RecordsOptions) {}

  /** @throws ServiceError `invalid_object` */
  contentsOf(endpoint: Endpoint, caller: Caller): readonly RecordContent[] {
    const { dnsName, recordType: type, targets } = endpoint;
    const name = `${dnsName}.`;
    if (!isManagedType(type)) throw invalidBody(`external-dns manages ${[...TYPES].join(', ')}.`);
    if (targets.length === 0) throw invalidBody('targets: at least one is needed.');
    const { types } = this.records;
    const ttl = this.ttlOf(endpoint, caller);
    const contents = targets.map((target) => {
      const text = dataOf(type, target);
      return readRecordContent(types, { name, type, ttl, ...valueOf(types, type, text) });
    });
    return [...new Map(contents.map((content) => [content.fingerprint, content])).values()];
  }

  /** The endpoint as lists show it after its creation; `sent` if the service would refuse it. */
  adjusted(sent: unknown, caller: Caller): unknown {
    const endpoint = readEndpoint(sent);
    const { dnsName, recordType, labels } = endpoint;
    try {
      const type = this.records.types.byName(recordType);
      const contents = this.contentsOf(endpoint, caller);
      if (type === undefined) return sent;
      const recordTTL = this.ttlOf(endpoint, caller);
      return {
        ...{ dnsName, targets: contents.map(({ rdata }) => targetOf(type, rdata)), recordType },
        ...(recordTTL !== null && { recordTTL }),
        ...(labels !== null && { labels }),
      };
    } catch (error) {
      if (error instanceof ServiceError) return sent;
      throw error;
    }
  }

  /** `null` without records that external-dns could manage. */
  shown(zone: Readonly<ZoneEntity>, set: AnnotatedSet): object | null {
    const { name, ownerKey, type: recordType, records, ttl } = set;
    if (!isManagedType(recordType) || isApexNs(zone, { ownerKey, type: recordType })) return null;
    const type = this.records.knownTypes.stored(recordType);
    if (type === undefined || records.length === 0) return null;
    const targets = records.flatMap(({ rdata }) => readable(() => targetOf(type, Buffer.from(rdata, 'hex'))));
    if (targets.length === 0) return null;
    return { dnsName: name.toLowerCase().replace(/\.$/, ''), targets, recordType, recordTTL: ttl ?? zone.ttl };
  }

  private ttlOf({ recordTTL }: Endpoint, caller: Caller): number | null {
    if (recordTTL === 0) return null;
    const { minTtl } = this.records;
    return minTtl === null || mayGoBelowMinimumTtl(caller) ? recordTTL : Math.max(recordTTL, minTtl);
  }
}

export function isApexNs(
  { nameKey }: Pick<ZoneEntity, 'nameKey'>,
  { ownerKey, type }: { readonly ownerKey: string; readonly type: string },
): boolean {
  return type === 'NS' && ownerKey === nameKey;
}

/** Stored data may be damaged. */
function readable(read: () => string): string[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}

/** external-dns removes the final dot of names. */
function dataOf(type: string, target: string): string {
  if (type === 'A' || type === 'AAAA') return target;
  if (type === 'TXT') return textOf(target);
  const text = type === 'NAPTR' ? target : target.trim().replace(/\s+/g, ' ');
  return text.endsWith('.') ? text : `${text}.`;
}

const ONE_QUOTED = /^"((?:[^"\\]|\\.)*)"$/s;

/** A text in quotes may be longer than 255 octets: external-dns writes its labels as one. */
function textOf(target: string): string {
  const [, inside] = ONE_QUOTED.exec(target) ?? [];
  if (inside === undefined) return /^".*"$/s.test(target) ? target : inStrings(Buffer.from(target));
  try {
    return inStrings(textToOctets(inside));
  } catch {
    // The record type reports the bad escape.
    return target;
  }
}

function inStrings(octets: Uint8Array): string {
  const strings = [octetsToText(octets.subarray(0, MAX_STRING))];
  for (let from = MAX_STRING; from < octets.length; from += MAX_STRING)
    strings.push(octetsToText(octets.subarray(from, from + MAX_STRING)));
  return strings.join(' ');
}

function targetOf(type: RecordType, rdata: Uint8Array): string {
  if (type.name === 'TXT') return shownText(rdata);
  const text = type.toText(rdata);
  if (type.name === 'NAPTR') return text;
  const lower = text.toLowerCase();
  // A null MX has the target "0 .".
  return type.name === 'SRV' || /(?:^| )\.$/.test(lower) ? lower : lower.replace(/\.$/, '');
}

/** The inverse of `textOf`. */
function shownText(rdata: Uint8Array): string {
  const strings: Uint8Array[] = [];
  for (let at = 0; at < rdata.length; at += 1 + (rdata[at] ?? 0))
    strings.push(rdata.subarray(at + 1, at + 1 + (rdata[at] ?? 0)));
  const isOneText = strings.every(({ length }, at) => length === MAX_STRING || at === strings.length - 1);
  return isOneText ? octetsToText(Buffer.concat(strings)) : strings.map(octetsToText).join(' ');
}
