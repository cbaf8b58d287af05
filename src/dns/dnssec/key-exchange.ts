import { MasterFileReader } from '../master-file/master-file-reader.js';
import type { DomainName } from '../name.js';
import { CDNSKEY, CDS } from '../rdata/dnssec.js';
import { RecordTypes } from '../rdata/record-types.js';
import { SIGNING_TYPES } from '../rdata/signing-types.js';
import { typeName } from '../rdata/type-names.js';
import { DIGEST_TYPES, dsRdata, keyTag, type SigningKey } from './dnskey.js';
import { signedDataToText } from './presentation.js';
import { BACKDATED, readRrsig, signSet } from './rrsig.js';
import { Type, type WireSet } from './wire-set.js';

/**
 * Key signing requests (KSR) and signed key responses (SKR) for a KSK that is kept offline, in the text form of Knot's `keymgr` and
 * BIND's `dnssec-ksr`.
 */
const VERSION = '1.0';
const REQUEST = 'KeySigningRequest';
const RESPONSE = 'SignedKeyResponse';
const TYPES = new RecordTypes([...SIGNING_TYPES, CDS, CDNSKEY]);
/** Knot writes seconds since 1970, BIND 14 digits. */
const BIND_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/;

/** An unusable request or response. */
export class KeyExchangeError extends Error {}

/** The keys of a zone from a time on. */
export interface KeyRequest {
  /** Seconds since 1970. */
  readonly from: number;
  readonly ttl: number;
  /** DNSKEY RDATA, without the KSKs that sign. */
  readonly dnskeys: readonly Uint8Array[];
  /** Tags of the KSKs that sign, and of those that CDS and CDNSKEY have. `null`, as other programs write it: all. */
  readonly ksks: readonly number[] | null;
  readonly inCds: readonly number[] | null;
}

/** A set with signatures of KSKs: DNSKEY, CDS or CDNSKEY. */
export interface SignedKeySet {
  readonly set: WireSet;
  readonly signatures: readonly Uint8Array[];
}

export function writeRequests(apex: DomainName, requests: readonly KeyRequest[], writtenAt: string): string {
  const blocks = requests.map(({ from, ttl, dnskeys, ksks, inCds }) => [
    headerOf(REQUEST, from),
    // Knot and BIND add the KSKs themselves.
    `; KSK ${(ksks ?? []).join(' ') || '-'}, DS ${(inCds ?? []).join(' ') || '-'}`,
    ...linesOf(apex, { owner: apex, type: Type.DNSKEY, ttl, rdatas: dnskeys }),
  ]);
  return [...blocks.flat(), endOf(REQUEST, writtenAt), ''].join('\n');
}

/** @throws KeyExchangeError */
export function readRequests(text: string, apex: DomainName): KeyRequest[] {
  return blocksIn(text, REQUEST, apex).map(({ from, line, comment, sets }) => {
    const dnskeys = sets.find(({ type }) => type === Type.DNSKEY);
    if (from === null || dnskeys === undefined || sets.length > 1)
      throw new KeyExchangeError(`line ${line}: a request has a time and DNSKEY records only`);
    const [, ksks, inCds] = /^; KSK ([\d -]+), DS ([\d -]+)$/.exec(comment) ?? [];
    return {
      from,
      ttl: dnskeys.ttl,
      dnskeys: dnskeys.rdatas,
      ksks: ksks === undefined ? null : tagsIn(ksks),
      inCds: inCds === undefined ? null : tagsIn(inCds),
    };
  });
}

/**
 * Signs requests where the private keys of the KSKs are.
 * @param validity of a signature, in seconds from the time of the request
 * @throws KeyExchangeError for a request with other KSKs
 */
export function signRequests(
  apex: DomainName,
  requests: readonly KeyRequest[],
  keys: readonly SigningKey[],
  validity: number,
  writtenAt: string,
): string {
  const blocks = requests.map(({ from, ttl, dnskeys, ...tags }) => {
    const ksks = keysNamed(tags.ksks, keys);
    const own = ksks.map(({ dnskey }) => dnskey);
    const others = dnskeys.filter((dnskey) => !own.some((ksk) => Buffer.compare(ksk, dnskey) === 0));
    const all = [...own, ...others];
    const inCds = tags.inCds === null ? own : all.filter((dnskey) => tags.inCds?.includes(keyTag(dnskey)));
    const sets: WireSet[] = [
      { owner: apex, type: Type.DNSKEY, ttl, rdatas: all },
      { owner: apex, type: Type.CDNSKEY, ttl, rdatas: inCds },
      { owner: apex, type: Type.CDS, ttl, rdatas: inCds.map((key) => dsRdata(apex, key, DIGEST_TYPES.SHA256)) },
    ];
    const times = { inception: from - BACKDATED, expiration: from + validity };
    return [
      headerOf(RESPONSE, from),
      ...sets
        .filter(({ rdatas }) => rdatas.length > 0)
        .flatMap((set) => {
          const signatures = ksks.map((key) => signSet(set, key, apex, times));
          return [...linesOf(apex, set), ...linesOf(apex, { ...set, type: Type.RRSIG, rdatas: signatures })];
        }),
    ];
  });
  return [...blocks.flat(), endOf(RESPONSE, writtenAt), ''].join('\n');
}

/** A response in parts that can be read one after the other, with the number of lines before each. */
export function partsOfResponse(text: string): { readonly text: string; readonly linesBefore: number }[] {
  let linesBefore = 0;
  return text.split(/^(?=;; *SignedKeyResponse +\d+\.\d+ +\d)/m).map((part) => {
    const before = linesBefore;
    linesBefore += part.split('\n').length - 1;
    return { text: part, linesBefore: before };
  });
}

/** The sets of all blocks, unverified. @param linesBefore of this part of a text @throws KeyExchangeError */
export function readResponses(text: string, apex: DomainName, linesBefore = 0): SignedKeySet[] {
  return blocksIn(text, RESPONSE, apex, linesBefore).flatMap(({ line, sets }) => {
    const signatures = sets.find(({ type }) => type === Type.RRSIG)?.rdatas ?? [];
    const signed = sets.filter(({ type }) => type !== Type.RRSIG);
    if (signatures.length === 0 || signed.length === 0)
      throw new KeyExchangeError(`line ${line}: a response has DNSKEY records and their RRSIG records`);
    return signed.map((set) => ({ set, signatures: signatures.filter((rrsig) => readRrsig(rrsig).type === set.type) }));
  });
}

interface Block {
  readonly line: number;
  /** `null`: the time cannot be read. */
  readonly from: number | null;
  /** The comment after the header. */
  readonly comment: string;
  readonly sets: (WireSet & { readonly rdatas: Uint8Array[] })[];
}

/** Comments separate the blocks, as in files of Knot and BIND. */
function blocksIn(text: string, kind: string, apex: DomainName, linesBefore = 0): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  lines.forEach((content, at) => {
    const [, found, time = ''] = /^;; *(\w+) +\d+\.\d+ +(\S+)/.exec(content) ?? [];
    if (found === undefined) return;
    if (found !== kind) throw new KeyExchangeError(`line ${linesBefore + at + 1}: write a ${kind}, not a ${found}`);
    if (/^\d/.test(time))
      blocks.push({ line: linesBefore + at + 1, from: timeIn(time), comment: lines[at + 1]?.trim() ?? '', sets: [] });
  });
  if (blocks.length === 0) throw new KeyExchangeError(`no line begins with ";; ${kind} ${VERSION}" and a time`);
  const errors: string[] = [];
  const sink = {
    error: ({ line, message }: { readonly line: number; readonly message: string }) =>
      errors.push(`line ${linesBefore + line}: ${message}`),
    record: (record: Parsed) => add({ ...record, line: linesBefore + record.line }, blocks, apex, errors),
  };
  const reader = new MasterFileReader({ origin: apex, types: TYPES }, sink);
  reader.push(Buffer.from(text));
  reader.end();
  const [error] = errors;
  if (error !== undefined) throw new KeyExchangeError(error);
  return blocks;
}

type Parsed = Parameters<ConstructorParameters<typeof MasterFileReader>[1]['record']>[0];

function add(
  { owner, type, ttl, rdata, line }: Parsed,
  blocks: readonly Block[],
  apex: DomainName,
  errors: string[],
): void {
  const block = blocks.findLast((one) => one.line < line);
  if (block === undefined || !owner.equals(apex) || ttl === null)
    return void errors.push(
      `line ${line}: write the TTL and the name ${apex.toString()} in each line, after the first header`,
    );
  const set = block.sets.find((one) => one.type === type.code);
  if (set === undefined) block.sets.push({ owner: apex, type: type.code, ttl, rdatas: [rdata] });
  else if (!set.rdatas.some((one) => Buffer.compare(one, rdata) === 0)) set.rdatas.push(rdata);
}

function timeIn(text: string): number | null {
  const parts = BIND_TIME.exec(text)?.slice(1).map(Number);
  if (parts === undefined) return /^\d{1,11}$/.test(text) ? Number(text) : null;
  const [year = 0, month = 0, day, hour, minute, second] = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

function tagsIn(text: string): number[] {
  return text
    .split(' ')
    .filter((tag) => /^\d+$/.test(tag))
    .map(Number);
}

function keysNamed(tags: readonly number[] | null, keys: readonly SigningKey[]): SigningKey[] {
  return (tags ?? keys.map(({ tag }) => tag)).map((tag) => {
    const key = keys.find((one) => one.tag === tag);
    if (key === undefined) throw new KeyExchangeError(`the private key of the KSK ${tag} is needed too`);
    return key;
  });
}

function linesOf(apex: DomainName, { type, ttl, rdatas }: WireSet): string[] {
  return rdatas.map(
    (rdata) => `${apex.toString()} ${ttl} IN ${typeName(type)} ${signedDataToText(type, rdata, apex) ?? ''}`,
  );
}

function headerOf(kind: string, from: number): string {
  return `;; ${kind} ${VERSION} ${from} ===========`;
}

function endOf(kind: string, writtenAt: string): string {
  return `;; ${kind} ${VERSION} generated on ${writtenAt} by Zonewright`;
}
