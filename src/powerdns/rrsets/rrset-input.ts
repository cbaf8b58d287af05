import { toUnixSeconds, type Instant } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { MAX_TTL } from '../../common/field-limits.js';
import { DomainName, NameError } from '../../dns/name.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { SOA } from '../../dns/rdata/soa.js';
import { type OwnerRules, parseOwnerName } from '../../dns/owner-name.js';
import type { RecordContent } from '../../records/record-content.js';
import type { SetKey } from '../../records/record-set.entity.js';
import type { SetComment } from '../../records/annotated-sets.repository.js';
import * as sent from '../input.js';
import { readContent } from './rrset-content.js';

const CHANGE_TYPES = ['REPLACE', 'DELETE', 'EXTEND', 'PRUNE'] as const;
type ChangeType = (typeof CHANGE_TYPES)[number];

export interface RrsetInput extends SetKey {
  readonly changetype: ChangeType;
  readonly name: string;
  /** In seconds; `null` without records. */
  readonly ttl: number | null;
  readonly records: readonly ContentInput[] | null;
  readonly comments: readonly SetComment[] | null;
  /** The content of an SOA, which is not stored as a record; `null` if absent. */
  readonly soa: string | null;
}

export interface ContentInput {
  readonly content: RecordContent;
  readonly isDisabled: boolean;
}

export interface Reading {
  readonly types: RecordTypes;
  readonly zone: { readonly name: string; readonly nameKey: string };
  readonly now: Instant;
}

const ACCOUNT = 255;
const COMMENTS = 65_536;
const UINT32 = 0xffff_ffff;

/** Parses the record sets of a PATCH. */
export async function readChanges(value: unknown, reading: Reading, most: number): Promise<RrsetInput[]> {
  const rrsets = sent.listIn(sent.objectIn(value, 'The body'), 'rrsets');
  if (rrsets === undefined) sent.refuse('No rrsets given in update request');
  const read = await readEach(rrsets, reading, most, null);
  // An EXTEND or PRUNE is about one record, so a set may have many.
  const ofWholeSets = read.filter(({ changetype }) => changetype === 'REPLACE' || changetype === 'DELETE');
  assertNoneTwice(ofWholeSets, ({ changetype }) => changetype);
  return read;
}

/** Parses all record sets of a zone. */
export async function readContents(rrsets: readonly unknown[], reading: Reading, most: number): Promise<RrsetInput[]> {
  const read = await readEach(rrsets, reading, most, 'REPLACE');
  assertNoneTwice(read, () => '');
  return read;
}

/** RFC 1035 §4.1.3, §4.2.2: a record takes at least 12 octets of a message of 65,535. */
const MOST_RECORDS = 5461;
/** Sets parsed between two turns of the event loop. */
const TURN = 100;

async function readEach(
  rrsets: readonly unknown[],
  reading: Reading,
  most: number,
  changetype: ChangeType | null,
): Promise<RrsetInput[]> {
  if (rrsets.length > most) sent.refuse(`A request has at most ${most} rrsets`);
  const apex = DomainName.parse(reading.zone.name);
  const read: RrsetInput[] = [];
  for (const [at, rrset] of rrsets.entries()) {
    if (at > 0 && at % TURN === 0) await nextTurn();
    read.push(readRrset(sent.objectIn(rrset, 'An rrset'), { ...reading, apex }, changetype));
  }
  return read;
}

/** @param given the change type of all sets; `null`: each set has its own */
function readRrset(
  rrset: sent.InputObject,
  reading: Reading & { readonly apex: DomainName },
  given: ChangeType | null,
): RrsetInput {
  const name = sent.neededText(rrset, 'name');
  sent.assertCanonical(name);
  assertParsed(name);
  const type = readType(sent.neededText(rrset, 'type'), name, reading);
  const owner = readOwner(name, reading.types.byName(type) ?? null);
  const changetype = given ?? readChangeType(rrset);
  const base = { changetype, name, ownerKey: owner.key, type };
  if (changetype === 'DELETE') return { ...base, ttl: null, records: null, comments: null, soa: null };
  if (!owner.isWithin(reading.apex)) sent.refuse(`RRset ${name} IN ${type}: Name is out of zone`);
  const records = sent.listIn(rrset, 'records');
  const comments = readComments(rrset, reading, `RRset ${name} IN ${type}`);
  if (records === undefined && (comments === undefined || changetype !== 'REPLACE'))
    sent.refuse(
      `RRset ${name} IN ${type}: ${changetype === 'REPLACE' ? 'REPLACE needs records or comments' : 'No record provided'}`,
    );
  if (changetype !== 'REPLACE' && comments !== undefined && comments.length > 0)
    sent.refuse(`RRset ${name} IN ${type}: ${changetype} takes no comments`);
  if ((records?.length ?? 0) > MOST_RECORDS)
    sent.refuse(`RRset ${name} IN ${type} has more than ${MOST_RECORDS} records, which no DNS message holds`);
  const ttl = readTtl(rrset, records ?? [], changetype, `RRset ${name} IN ${type}`);
  const set = { ...base, ttl, comments: comments ?? null };
  if (type === SOA.name) return { ...set, records: null, soa: records === undefined ? null : readSoa(records, set) };
  const contents = records?.map((one) => readRecord(sent.objectIn(one, 'A record'), set, reading)) ?? null;
  if (contents !== null) assertContents(contents, set, reading);
  return { ...set, records: contents, soa: null };
}

/** Meta types, which no zone has. */
const META_TYPES = new Set(['OPT', 'TSIG']);

function readType(text: string, name: string, { types }: Reading): string {
  const type = text.toUpperCase();
  if (META_TYPES.has(type)) sent.refuse(`RRset ${name} IN ${type}: invalid type given`);
  if (type !== SOA.name && types.byName(type) === undefined)
    sent.refuse(`RRset ${name} IN ${text.slice(0, 64)}: unknown type given`);
  return type;
}

function readChangeType(rrset: sent.InputObject): ChangeType {
  const text = sent.neededText(rrset, 'changetype').toUpperCase();
  return (
    CHANGE_TYPES.find((one) => one === text) ?? sent.refuse(`Changetype '${text.slice(0, 64)}' is not a valid value`)
  );
}

function readOwner(name: string, rules: OwnerRules | null): DomainName {
  try {
    return parseOwnerName(name, rules);
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    return sent.refuse(`RRset ${name.slice(0, 255)}: Name contains unsupported characters (${error.message})`);
  }
}

/** @throws ServiceError with the prefix `before` for an invalid name */
export function assertParsed(name: string, before = ''): void {
  try {
    DomainName.parse(name);
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    sent.refuse(`${before}Unable to parse DNS Name '${name.slice(0, 255)}': ${error.message}`);
  }
}

/** PRUNE compares contents only. */
function readTtl(
  rrset: sent.InputObject,
  records: readonly unknown[],
  changetype: ChangeType,
  what: string,
): number | null {
  const ttl = sent.integerIn(rrset, 'ttl', MAX_TTL);
  if (records.length === 0 || changetype === 'PRUNE') return ttl ?? null;
  return ttl ?? sent.refuse(`${what}: Key 'ttl' not present`);
}

function readRecord(
  record: sent.InputObject,
  set: Omit<RrsetInput, 'records' | 'soa'>,
  { types }: Reading,
): ContentInput {
  const content = readContent(types, set, sent.neededText(record, 'content'));
  return { content, isDisabled: sent.truthIn(record, 'disabled') ?? false };
}

function assertContents(
  contents: readonly ContentInput[],
  { changetype, name, type }: Pick<RrsetInput, 'changetype' | 'name' | 'type'>,
  { types }: Reading,
): void {
  const what = `RRset ${name} IN ${type}`;
  if ((changetype === 'EXTEND' || changetype === 'PRUNE') && contents.length !== 1)
    sent.refuse(`${what}: Exactly one record should be provided for ${changetype}`);
  if (contents.length > 1 && types.byName(type)?.placement.isSingle === true) sent.refuse(onlyOne(name, type));
  const seen = new Set<string>();
  for (const { content } of contents) {
    if (seen.has(content.fingerprint))
      sent.refuse(
        `Duplicate record in RRset ${name} IN ${type}: duplicate record with content '${content.data.slice(0, 200)}'`,
      );
    seen.add(content.fingerprint);
  }
}

function readSoa(
  [record, ...others]: readonly unknown[],
  { name, changetype }: Pick<RrsetInput, 'name' | 'changetype'>,
): string {
  const what = `RRset ${name} IN SOA`;
  if (changetype !== 'REPLACE') sent.refuse(`${what}: a zone has one SOA; REPLACE it`);
  if (record === undefined) sent.refuse(`${what}: a zone has one SOA`);
  if (others.length > 0) sent.refuse(onlyOne(name, SOA.name));
  const object = sent.objectIn(record, 'A record');
  if (sent.truthIn(object, 'disabled') === true) sent.refuse(`${what}: the SOA cannot be disabled`);
  return sent.neededText(object, 'content');
}

/** The wording of PowerDNS 4.7 and 5.1. */
export function onlyOne(name: string, type: string): string {
  return `RRset ${name} IN ${type}: only one such record is allowed, and ${name} IN ${type} has more than one record`;
}

/** SOA comments are in the zone row, which lists read: limit their size. */
function readComments(rrset: sent.InputObject, reading: Reading, what: string): readonly SetComment[] | undefined {
  const comments = sent.listIn(rrset, 'comments')?.map((one) => readComment(sent.objectIn(one, 'A comment'), reading));
  if (comments !== undefined && Buffer.byteLength(JSON.stringify(comments)) > COMMENTS)
    sent.refuse(`${what}: the comments of one set take at most ${COMMENTS} octets`);
  return comments;
}

function readComment(comment: sent.InputObject, { now }: Reading): SetComment {
  return {
    content: sent.neededText(comment, 'content'),
    account: sent.textIn(comment, 'account', ACCOUNT) ?? sent.refuse("Key 'account' not present or not a String"),
    modifiedAt: sent.integerIn(comment, 'modified_at', UINT32) ?? toUnixSeconds(now),
  };
}

function assertNoneTwice(rrsets: readonly RrsetInput[], kindOf: (rrset: RrsetInput) => string): void {
  const seen = new Set<string>();
  for (const rrset of rrsets) {
    const { name, type, ownerKey, changetype } = rrset;
    const key = `${ownerKey} ${type} ${kindOf(rrset)}`;
    if (seen.has(key)) sent.refuse(`Duplicate RRset ${name} IN ${type} with changetype: ${changetype}`);
    seen.add(key);
  }
}
