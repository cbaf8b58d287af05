import { type DomainName, quoted } from '../name.js';
import type { RecordType } from '../rdata/index.js';
import { EntryError } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';
import { parseRange, parseTemplate, type Range, sizeOf } from './generate.js';
import { generatedRecords, withErrorsInPlace } from './generated-records.js';
import type { MasterFileOptions, MasterFileSink } from './master-file.js';
import type { Position } from './position.js';
import { readHeader } from './record-header.js';
import { assertWithinZone, readData, readName } from './record-parts.js';
import { parseTtl } from './ttl.js';
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

  constructor(
    private readonly options: Required<MasterFileOptions>,
    private readonly sink: MasterFileSink,
  ) {}

  /** @throws EntryError */
  read(entry: Entry): void {
    const [first] = entry.tokens;
    if (!first) return;
    if (!entry.isIndented && !first.quoted && first.text.startsWith('$')) this.readDirective(first, entry);
    else this.readRecord(first, entry);
  }

  private readRecord(first: EntryToken, { tokens, isIndented, line, column }: Entry): void {
    const owner = isIndented ? this.inheritedOwner(first) : this.ownOwner(first);
    const header = readHeader(tokens, isIndented ? 0 : 1);
    this.lastTtl = header.ttl ?? this.lastTtl;
    const type = this.typeOf(header.type, { line, column });
    if (!type) return;
    const data = tokens.slice(header.dataFrom);
    const rdata = readData(type, data, data[0] ?? header.type, this.origin);
    this.sink.record({ owner, ttl: this.ttlOf(header.ttl), type, rdata, line, column });
  }

  private ownOwner(token: EntryToken): DomainName {
    if (token.quoted || token.text !== this.ownerText || !this.owner) {
      this.owner = undefined;
      this.owner = readName(token, this.origin);
      this.ownerText = token.text;
    }
    return assertWithinZone(this.owner, this.options.origin, token);
  }

  private inheritedOwner(first: EntryToken): DomainName {
    if (!this.owner)
      throw new EntryError('no line above has an owner name to reuse: begin this one with a name', first.at);
    return assertWithinZone(this.owner, this.options.origin, first);
  }

  /** The type that the token names; undefined for a record of signing, which goes to the sink as such. */
  private typeOf(token: EntryToken, position: Position): RecordType | undefined {
    const type = findType(this.options.types, token.text);
    if (type) return type;
    const signature = signatureType(token);
    if (signature === undefined) throw unknownTypeError(this.options.types, token);
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

  private generate(directive: EntryToken, { tokens, line, column, positionOf }: Entry): void {
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
      position: { line, column },
    });
    if (this.sink.generated) this.sink.generated(withErrorsInPlace(records, positionOf));
    else for (const record of records) this.sink.record(record);
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

function onlyArgument(directive: EntryToken, tokens: readonly EntryToken[]): EntryToken {
  const [, argument, extra] = tokens;
  if (argument && !argument.quoted && !extra) return argument;
  throw new EntryError(
    `${directive.text.toUpperCase()} takes one value: write it like $ORIGIN example.org. or $TTL 1h`,
    (extra ?? directive).at,
  );
}

const GENERATE_HELP = 'write $GENERATE start-stop name type data, with data of several items in quotes';
