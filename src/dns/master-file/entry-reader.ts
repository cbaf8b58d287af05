import { type DomainName, quoted, displayName } from '../name.js';
import { NS } from '../rdata/name-types.js';
import type { RecordType } from '../rdata/index.js';
import { SOA } from '../rdata/soa.js';
import { EntryError } from './entry-error.js';
import { type EntryToken, withoutOctetEscapes } from './entry-scanner.js';
import { parseRange, parseTemplate, type Range, sizeOf, generatedRecords, withErrorsInPlace } from './generate.js';
import type { MasterFileOptions, MasterFileSink, RepairKind } from './master-file.js';
import type { Position } from './position.js';
import {
  readHeader,
  outsideError,
  readData,
  readName,
  MAX_TTL,
  parseTtl,
  findType,
  signatureType,
  unknownTypeError,
} from './record-parts.js';
import { typeCode } from '../rdata/type-names.js';

export interface Entry extends Position {
  readonly tokens: readonly EntryToken[];
  readonly isIndented: boolean;
  readonly positionOf: (at: number) => Position;
}

/** Reads the entries of a master file in order (RFC 1035 §5.1). Keeps origin, owner name and TTL for later entries. */
export class EntryReader {
  private origin = this.options.initialOrigin;
  private owner: DomainName | undefined;
  /** Consecutive entries often repeat the owner name. */
  private ownerText: string | undefined;
  private defaultTtl: number | undefined;
  private lastTtl: number | undefined;
  private generated = 0;
  private hasRefusedSignature = false;
  private dialect: Dialect | null = null;
  private hasBegun = false;

  constructor(
    private readonly options: Required<MasterFileOptions>,
    private readonly sink: MasterFileSink,
  ) {}

  /** Early comments may name the program that wrote the file. */
  recordComment(comment: string): void {
    if (!this.hasBegun && this.sink.repair) this.dialect ??= dialectOf(comment);
  }

  get hasHashComments(): boolean {
    return this.dialect === 'windows';
  }

  read(entry: Entry): void {
    const [first] = entry.tokens;
    if (!first) return;
    this.hasBegun = true;
    try {
      if (!entry.isIndented && !first.quoted && first.text.startsWith('$')) this.readDirective(first, entry);
      else this.readRecord(first, this.withoutAge(entry));
    } catch (error) {
      if (!(error instanceof EntryError)) throw error;
      throw first.text.startsWith('#') ? hashCommentError(first) : asInFile(error, entry);
    }
  }

  private readRecord(first: EntryToken, { tokens, isIndented, line, column }: Entry): void {
    const position = { line, column };
    const header = readHeader(tokens, isIndented ? 0 : 1);
    const owner = isIndented ? this.inheritedOwner(first, position) : this.ownOwner(first, header.type, position);
    this.lastTtl = header.ttl ?? this.lastTtl;
    if (!owner.isWithin(this.options.origin)) {
      if (!this.leavesOutside(header.type)) throw outsideError(owner, this.options.origin, first);
      return this.repaired('outside_zone', { ...first, text: displayName(owner) }, position);
    }
    if (isWinsType(header.type) && this.dialect === 'windows')
      return this.repaired('wins_record', header.type, position);
    const type = this.typeOf(header.type, position);
    if (!type) return;
    const data = tokens.slice(header.dataFrom);
    const unusable = type.name === NS.name && this.sink.repair ? unusableServer(data, this.origin) : undefined;
    if (unusable) return this.repaired(unusable, data[0] ?? header.type, position);
    const rdata = readData(type, data, data[0] ?? header.type, this.origin);
    if (type.name === SOA.name && this.ttlOf(header.ttl) === null) this.useMinimum(rdata, position);
    this.sink.record({ owner, ttl: this.ttlOf(header.ttl), type, rdata, line, column });
  }

  private withoutAge(entry: Entry): Entry {
    if (this.dialect !== 'windows') return entry;
    const at = entry.tokens.findIndex(isRecordAge);
    const age = entry.tokens[at];
    if (age === undefined || at > (entry.isIndented ? 0 : 1)) return entry;
    this.repaired('record_age', age, entry);
    return { ...entry, tokens: entry.tokens.toSpliced(at, 1) };
  }

  /** RFC 1035 §3.3.13, RFC 2308 §4: without an earlier TTL, the SOA minimum is the default, as in BIND. */
  private useMinimum(soa: Uint8Array, position: Position): void {
    this.defaultTtl = Math.min(SOA.values(soa).minimum, MAX_TTL);
    this.sink.repair?.({ ...position, kind: 'soa_minimum_as_ttl', text: String(this.defaultTtl) });
  }

  private repaired(kind: RepairKind, { text, hasOctetEscapes }: EntryToken, { line, column }: Position): void {
    this.sink.repair?.({ line, column, kind, text: hasOctetEscapes === true ? withoutOctetEscapes(text) : text });
  }

  private ownOwner(token: EntryToken, type: EntryToken, position: Position): DomainName {
    if (token.quoted || token.text !== this.ownerText || !this.owner) {
      this.owner = undefined;
      this.ownerText = undefined;
      this.owner = this.repairedOwner(token, type, position);
      if (this.owner) return this.owner;
      this.owner = readName(token, this.origin);
      this.ownerText = token.text;
    }
    return this.owner;
  }

  /** Returns undefined for a regular token. */
  private repairedOwner(token: EntryToken, type: EntryToken, position: Position): DomainName | undefined {
    const shorter = withoutOriginLabel(token);
    if (shorter !== null) {
      if (this.dialect !== 'godaddy') throw originLabelError(token, shorter);
      this.repaired('origin_label', token, position);
      return readName({ ...token, text: shorter }, this.origin);
    }
    const zone = this.options.origin;
    if (!this.sink.repair || !/^SOA$/i.test(type.text)) return undefined;
    if (!isMiswrittenApex(token, readName(token, this.origin), zone)) return undefined;
    this.repaired('soa_owner', token, position);
    return zone;
  }

  private inheritedOwner(first: EntryToken, position: Position): DomainName {
    if (this.owner) return this.owner;
    if (!this.sink.repair)
      throw new EntryError('no line above has an owner name to reuse: begin this one with a name', first.at);
    this.repaired('first_owner', first, position);
    return (this.owner = this.options.initialOrigin);
  }

  /** Skips a record outside of the zone, as BIND does. An SOA outside means that the file is of another zone. */
  private leavesOutside({ text }: EntryToken): boolean {
    return this.sink.repair !== undefined && typeCode(text.toUpperCase()) !== SOA.code;
  }

  /** Returns undefined for DNSSEC records, which go to `signature` of the sink. */
  private typeOf(token: EntryToken, position: Position): RecordType | undefined {
    const type = findType(this.options.types, token.text);
    if (type) return type;
    const signature = signatureType(token);
    if (signature === undefined) throw windowsError(token) ?? unknownTypeError(this.options.types, token);
    if (this.sink.signature) this.sink.signature({ ...position, type: signature });
    else this.refuseSignature(token);
    return undefined;
  }

  /** Only the first, because a signed zone is full of them. */
  private refuseSignature({ text, at }: EntryToken): void {
    if (this.hasRefusedSignature) return;
    this.hasRefusedSignature = true;
    throw new EntryError(
      `the zone is signed, this is its first ${text.toUpperCase()}: import it without RRSIG, NSEC, NSEC3, NSEC3PARAM and DNSKEY`,
      at,
    );
  }

  private ttlOf(own: number | undefined): number | null {
    return own ?? this.defaultTtl ?? this.lastTtl ?? null;
  }

  private readDirective(directive: EntryToken, entry: Entry): void {
    switch (directive.text.toUpperCase()) {
      case '$ORIGIN':
        this.origin = readName(onlyArgument(directive, entry.tokens), this.origin);
        this.ownerText = undefined;
        return;
      case '$TTL':
        this.defaultTtl = parseTtl(onlyArgument(directive, entry.tokens));
        this.sink.defaultTtl?.(this.defaultTtl);
        return;
      case '$GENERATE':
        return this.generate(directive, entry);
      case '$INCLUDE':
        throw new EntryError('$INCLUDE is not followed: put the content of that file in its place', directive.at);
      default:
        throw new EntryError(
          `${quoted(directive.text)} is not a known directive: use $ORIGIN, $TTL or $GENERATE`,
          directive.at,
        );
    }
  }

  private generate(directive: EntryToken, entry: Entry): void {
    const { tokens, line, column, positionOf } = entry;
    const [, numbers, left] = tokens;
    if (!numbers || !left || left.quoted) throw new EntryError(GENERATE_HELP, directive.at);
    const range = parseRange(numbers);
    const header = readHeader(tokens, 3);
    const [right, extra] = tokens.slice(header.dataFrom);
    if (!right || extra) throw new EntryError(GENERATE_HELP, (extra ?? directive).at);
    const type = this.typeOf(header.type, { line, column });
    if (!type) return;
    this.countGenerated(range, numbers);
    const records = generatedRecords({
      range,
      owner: { token: left, template: parseTemplate(left) },
      data: { token: right, template: parseTemplate(right) },
      ttl: this.ttlOf(header.ttl),
      type,
      origin: this.origin,
      zone: this.options.origin,
      leavesOutside: this.leavesOutside(header.type),
      position: { line, column },
    });
    if (this.sink.generated)
      this.sink.generated(
        withErrorsInPlace(records, (error) => ({ ...positionOf(error.at), message: asInFile(error, entry).message })),
      );
    else
      for (const item of records)
        if ('kind' in item) this.sink.repair?.(item);
        else this.sink.record(item);
  }

  private countGenerated(range: Range, { at }: EntryToken): void {
    const size = sizeOf(range);
    const max = this.options.maxGenerated;
    if (size > max - this.generated) {
      throw new EntryError(
        `$GENERATE would make ${size} records, and a file may generate ${max} at most: write a smaller range`,
        at,
      );
    }
    this.generated += size;
  }
}

/** Removes escapes that stand for raw octets of the file. */
function asInFile(error: EntryError, { tokens }: Entry): EntryError {
  if (!tokens.some(({ hasOctetEscapes }) => hasOctetEscapes)) return error;
  return new EntryError(withoutOctetEscapes(error.message), error.at);
}

function onlyArgument(directive: EntryToken, tokens: readonly EntryToken[]): EntryToken {
  const [, argument, extra] = tokens;
  if (argument && !argument.quoted && !extra) return argument;
  throw new EntryError(
    `${directive.text.toUpperCase()} takes one value: write it like $ORIGIN example.org. or $TTL 1h`,
    (extra ?? directive).at,
  );
}

const GENERATE_HELP = 'write $GENERATE start-stop name type data, with data of several items in quotes';

/** Programs and providers whose exports deviate from RFC 1035 §5. */
type Dialect = 'windows' | 'godaddy' | 'cloudflare';

const MAX_COMMENT = 200;

const SIGNATURES: readonly (readonly [Dialect, RegExp])[] = [
  ['windows', /^;+\s*Database file \S+ for \S+ zone\.?\s*$/im],
  ['godaddy', /^;+\s*Exported \(y-m-d/im],
  ['cloudflare', /^;+\s*Exported:\s/im],
];

function dialectOf(comment: string): Dialect | null {
  const line = comment.slice(0, MAX_COMMENT);
  return SIGNATURES.find(([, signature]) => signature.test(line))?.[0] ?? null;
}

const AGE = /^\[AGE:[0-9]+\]$/i;
const WINS_TYPES = /^WINSR?$/i;
/** RFC 3597 §5: also as octets. */
const ROOT = /^(?:\.|\\# 0*1 00)$/;
const PLACEHOLDER = /^REPL?ACE&ME\$WITH\^YOUR@NAMESERVER\.?$/;

/** Windows DNS writes the time stamp before the TTL. */
function isRecordAge({ text, quoted: inQuotes }: EntryToken): boolean {
  return !inQuotes && AGE.test(text);
}

function isWinsType({ text }: EntryToken): boolean {
  return WINS_TYPES.test(text);
}

/** A placeholder or the root as name server. */
function unusableServer(data: readonly EntryToken[], origin: DomainName): RepairKind | undefined {
  const text = data.map((token) => (token.quoted ? `"${token.text}"` : token.text)).join(' ');
  if (PLACEHOLDER.test(text)) return 'placeholder';
  return ROOT.test(text) || (text === '@' && origin.labelCount === 0) ? 'root_name_server' : undefined;
}

/** Whether an SOA owner name lacks the final dot, or is the root in another zone. */
function isMiswrittenApex({ text }: EntryToken, owner: DomainName, zone: DomainName): boolean {
  if (owner.equals(zone)) return false;
  return owner.labelCount === 0 || `${text}.`.toLowerCase() === zone.toString().toLowerCase();
}

/** Removes a final label `@`; `null` without one. */
function withoutOriginLabel({ text, quoted: inQuotes }: EntryToken): string | null {
  return !inQuotes && text.length > 2 && text.endsWith('.@') ? text.slice(0, -2) : null;
}

function originLabelError({ text, at }: EntryToken, name: string): EntryError {
  return new EntryError(
    `${quoted(text)} ends with "@", which stands for the origin only by itself: write ${quoted(name)}`,
    at,
  );
}

function windowsError(token: EntryToken): EntryError | null {
  const { text, at } = token;
  if (isRecordAge(token)) return new EntryError(`Windows DNS writes ${text} for the age of a record: take it out`, at);
  if (isWinsType(token))
    return new EntryError(`${text.toUpperCase()} records are of Windows DNS only: leave them out`, at);
  return null;
}

function hashCommentError({ at }: EntryToken): EntryError {
  return new EntryError('a comment begins with ";" in a zone file, and not with "#": write ";" in its place', at);
}
