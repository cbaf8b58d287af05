import { type DomainName, quoted, displayName } from '../name.js';
import { NS } from '../rdata/ns.js';
import type { RecordType } from '../rdata/index.js';
import { SOA } from '../rdata/soa.js';
import {
  type Dialect,
  dialectOf,
  hashCommentError,
  isMiswrittenApex,
  isRecordAge,
  isWinsType,
  originLabelError,
  unusableServer,
  windowsError,
  withoutOriginLabel,
} from './dialect.js';
import { EntryError } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';
import { parseRange, parseTemplate, type Range, sizeOf } from './generate.js';
import { generatedRecords, withErrorsInPlace } from './generated-records.js';
import type { MasterFileOptions, MasterFileSink, RepairKind } from './master-file.js';
import type { Position } from './position.js';
import { withoutOctetEscapes } from './raw-octets.js';
import { readHeader } from './record-header.js';
import { outsideError, readData, readName } from './record-parts.js';
import { MAX_TTL, parseTtl } from './ttl.js';
import { typeCode } from '../rdata/type-names.js';
import { findType, signatureType, unknownTypeError } from './type-lookup.js';

/** An entry of correct form, and the position of its first token. */
export interface Entry extends Position {
  readonly tokens: readonly EntryToken[];
  readonly isIndented: boolean;
  /** The position of an offset in the scanned text. */
  readonly positionOf: (at: number) => Position;
}

/**
 * Reads the entries of a master file one after the other (RFC 1035 §5.1) and hands their records to the sink. It keeps what
 * an entry leaves to those after it: origin, owner name and TTL.
 */
export class EntryReader {
  private origin = this.options.initialOrigin;
  private owner: DomainName | undefined;
  /** The token that the owner was read from: neighbours often have the same. */
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

  /** Takes a comment. Those before the first entry may name the program that has written the file. */
  recordComment(comment: string): void {
    if (!this.hasBegun && this.sink.repair) this.dialect ??= dialectOf(comment);
  }

  /** Whether lines that begin with `#` are comments. */
  get hasHashComments(): boolean {
    return this.dialect === 'windows';
  }

  /** @throws EntryError */
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

  /** The entry without what Windows DNS writes before the TTL. */
  private withoutAge(entry: Entry): Entry {
    if (this.dialect !== 'windows') return entry;
    const at = entry.tokens.findIndex(isRecordAge);
    const age = entry.tokens[at];
    if (age === undefined || at > (entry.isIndented ? 0 : 1)) return entry;
    this.repaired('record_age', age, entry);
    return { ...entry, tokens: entry.tokens.toSpliced(at, 1) };
  }

  /** RFC 1035 §3.3.13, RFC 2308 §4: the minimum is the default of a file that has no TTL before its SOA, as for BIND. */
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

  /** The owner name that a dialect means; undefined for a token that means what it says. */
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

  /** Whether a record outside of the zone is left out, as BIND does. With an SOA there, the file is of another zone. */
  private leavesOutside({ text }: EntryToken): boolean {
    return this.sink.repair !== undefined && typeCode(text.toUpperCase()) !== SOA.code;
  }

  /** The type that the token names; undefined for a record of signing, which goes to the sink as such. */
  private typeOf(token: EntryToken, position: Position): RecordType | undefined {
    const type = findType(this.options.types, token.text);
    if (type) return type;
    const signature = signatureType(token);
    if (signature === undefined) throw windowsError(token) ?? unknownTypeError(this.options.types, token);
    if (this.sink.signature) this.sink.signature({ ...position, type: signature });
    else this.refuseSignature(token);
    return undefined;
  }

  /** Refuses the first record of signing only: a signed zone has more of them than of anything else. */
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

/** The error without the escapes that stand for raw octets of the file. */
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
