import { DomainName, NameError, quoted } from '../name.js';
import { RdataError, type RecordType } from '../rdata/index.js';
import { blaming, EntryFault, type Position } from './entry-fault.js';
import type { Word } from './entry-scanner.js';
import { type Range, rangeOf, sizeOf, templateOf } from './generate.js';
import type { MasterFileOptions, MasterFileSink } from './master-file-reader.js';
import { readHeader } from './record-header.js';
import { ttlOf } from './ttl.js';
import { findType, isMadeByTheSigner, strangeType } from './type-lookup.js';
import { wordsOfLine } from './words-of-line.js';

/** One entry, its form already found to be right. */
export interface Entry extends Position {
  readonly words: readonly Word[];
  readonly isIndented: boolean;
}

/** Understands one entry after the other (RFC 1035 §5.1): what one of them says holds for those that follow. */
export class EntryReader {
  private origin = this.options.origin;
  private owner: DomainName | undefined;
  /** The word that the owner was read from: neighbours often have the same. */
  private ownerText: string | undefined;
  private defaultTtl: number | undefined;
  private lastTtl: number | undefined;
  private generated = 0;
  private hasRefusedSignature = false;

  constructor(
    private readonly options: Required<MasterFileOptions>,
    private readonly sink: MasterFileSink,
  ) {}

  /** Throws an EntryFault. */
  read(entry: Entry): void {
    const [first] = entry.words;
    if (!first) return;
    if (!entry.isIndented && !first.quoted && first.text.startsWith('$')) this.readDirective(first, entry);
    else this.readRecord(first, entry);
  }

  private readRecord(first: Word, { words, isIndented, line, column }: Entry): void {
    const owner = isIndented ? this.inheritedOwner(first) : this.ownOwner(first);
    const header = readHeader(words, isIndented ? 0 : 1);
    this.lastTtl = header.ttl ?? this.lastTtl;
    const type = this.typeOf(header.type, { line, column });
    if (!type) return;
    const data = words.slice(header.dataFrom);
    const rdata = blaming(
      data[0] ?? header.type,
      RdataError,
      () => type.parseTokens(data, this.origin),
      `${type.name}: `,
    );
    this.sink.record({ owner, ttl: this.ttlFor(header.ttl), type, rdata, line, column });
  }

  private ownOwner(word: Word): DomainName {
    if (word.quoted || word.text !== this.ownerText || !this.owner) {
      this.owner = undefined;
      this.owner = this.nameOf(word);
      this.ownerText = word.text;
    }
    return this.assertInZone(this.owner, word);
  }

  private inheritedOwner(first: Word): DomainName {
    if (!this.owner)
      throw new EntryFault('there is no readable owner above to take over: begin the line with a name', first.at);
    return this.assertInZone(this.owner, first);
  }

  private nameOf(word: Word): DomainName {
    if (word.quoted) throw new EntryFault(`the name ${quoted(word.text)} stands in quotes: leave them out`, word.at);
    return blaming(word, NameError, () => DomainName.parse(word.text, this.origin));
  }

  private assertInZone(owner: DomainName, word: Word): DomainName {
    const zone = this.options.origin;
    if (owner.isWithin(zone)) return owner;
    throw new EntryFault(
      `${quoted(owner.toString())} lies outside the zone ${zone.toString()}: leave the record out, or mend its name`,
      word.at,
    );
  }

  /** Undefined for what is left to the signer. */
  private typeOf(word: Word, position: Position): RecordType | undefined {
    const type = findType(this.options.types, word.text);
    if (type) return type;
    if (!isMadeByTheSigner(word)) throw strangeType(this.options.types, word);
    if (this.sink.signature) this.sink.signature({ ...position, type: word.text.toUpperCase() });
    else this.refuseSignature(word);
    return undefined;
  }

  /** Said once: a signed zone has more of them than of anything else. */
  private refuseSignature({ text, at }: Word): void {
    if (this.hasRefusedSignature) return;
    this.hasRefusedSignature = true;
    throw new EntryFault(
      `the zone is signed, this is its first ${text.toUpperCase()}: import it without RRSIG, NSEC, NSEC3, NSEC3PARAM and DNSKEY`,
      at,
    );
  }

  private ttlFor(said: number | undefined): number | null {
    return said ?? this.defaultTtl ?? this.lastTtl ?? null;
  }

  private readDirective(directive: Word, entry: Entry): void {
    switch (directive.text.toUpperCase()) {
      case '$ORIGIN':
        this.origin = this.nameOf(onlyArgument(directive, entry.words));
        this.ownerText = undefined;
        return;
      case '$TTL':
        this.defaultTtl = ttlOf(onlyArgument(directive, entry.words));
        return;
      case '$GENERATE':
        return this.generate(directive, entry);
      case '$INCLUDE':
        throw new EntryFault('$INCLUDE is not followed: put the content of that file in its place', directive.at);
      default:
        throw new EntryFault(
          `${quoted(directive.text)} is no directive that is known here: use $ORIGIN, $TTL or $GENERATE`,
          directive.at,
        );
    }
  }

  private generate(directive: Word, { words, line, column }: Entry): void {
    const [, numbers, left] = words;
    if (!numbers || !left || left.quoted) throw new EntryFault(GENERATE_HELP, directive.at);
    const range = rangeOf(numbers);
    const header = readHeader(words, 3);
    const [right, extra] = words.slice(header.dataFrom);
    if (!right || extra) throw new EntryFault(GENERATE_HELP, (extra ?? directive).at);
    const type = this.typeOf(header.type, { line, column });
    if (!type) return;
    this.reserve(range, numbers);
    const owner = templateOf(left);
    const data = templateOf(right);
    for (let value = range.start; value <= range.stop; value += range.step) {
      const name = this.assertInZone(this.nameOf({ ...left, text: owner(value) }), left);
      const rdata = this.generatedData(type, { ...right, text: data(value) });
      this.sink.record({ owner: name, ttl: this.ttlFor(header.ttl), type, rdata, line, column });
    }
  }

  private reserve(range: Range, { at }: Word): void {
    const size = sizeOf(range);
    const max = this.options.maxGenerated;
    if (size > max - this.generated) {
      throw new EntryFault(
        `$GENERATE would make ${size} records, and a file may have ${max} made for it: write a smaller range`,
        at,
      );
    }
    this.generated += size;
  }

  /** In quotes stand several items at once. */
  private generatedData(type: RecordType, word: Word): Uint8Array {
    const line = word.quoted
      ? word.text.replace(/\\([^])/g, (escape, next: string) => (next === '"' ? next : escape))
      : word.text;
    const items = blaming(word, EntryFault, () => wordsOfLine(line));
    return blaming(word, RdataError, () => type.parseTokens(items, this.origin), `${type.name}: `);
  }
}

function onlyArgument(directive: Word, words: readonly Word[]): Word {
  const [, argument, extra] = words;
  if (argument && !argument.quoted && !extra) return argument;
  throw new EntryFault(
    `${directive.text.toUpperCase()} takes one value: write it like $ORIGIN example.org. or $TTL 1h`,
    (extra ?? directive).at,
  );
}

const GENERATE_HELP = 'write $GENERATE start-stop name type data, with data of several items in quotes';
