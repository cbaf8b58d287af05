import type { DomainName } from '../name.js';
import type { RecordType, RecordTypes } from '../rdata/index.js';
import { EntryFault, type Position, positionIn } from './entry-fault.js';
import { EntryReader } from './entry-reader.js';
import { type Detour, EntryScanner, type Word } from './entry-scanner.js';
import * as kinds from './octet-kinds.js';
import { kindAt } from './octet-kinds.js';

/** How a master file is read (RFC 1035 §5). */
export interface MasterFileOptions {
  /** The zone: relative names are completed with it until the file says otherwise, and no owner may lie outside. */
  readonly origin: DomainName;
  /** What the service takes. SOA is read as well, for every zone file has one. */
  readonly types: RecordTypes;
  /** How many records all `$GENERATE` of the file may make together; 65,536 when not said. */
  readonly maxGenerated?: number;
  /** How long an entry may be, its parentheses and line ends included; 1 MiB when not said. */
  readonly maxEntryOctets?: number;
}

/** One record, and where it begins. */
export interface MasterFileRecord extends Position {
  readonly owner: DomainName;
  /** What the record says, else `$TTL` (RFC 2308 §4), else what the last record said; null when nothing does. */
  readonly ttl: number | null;
  readonly type: RecordType;
  readonly rdata: Uint8Array;
}

/** What is wrong, and where; the message says how to mend it. */
export interface MasterFileFault extends Position {
  readonly message: string;
}

/** A record that the signer of a zone made and will make anew. */
export interface MasterFileSignature extends Position {
  readonly type: string;
}

/** Who takes what a file holds, in the order of the file. */
export interface MasterFileSink {
  record(record: MasterFileRecord): void;
  fault(fault: MasterFileFault): void;
  /**
   * RRSIG, NSEC, NSEC3, NSEC3PARAM and DNSKEY of a signed zone, where `types` does not take them. A sink without this
   * method has the first one refused, so that nobody loses keys without having been told.
   */
  signature?(signature: MasterFileSignature): void;
}

const DEFAULTS = { maxGenerated: 65_536, maxEntryOctets: 2 ** 20 };

/** A file with more is not the file that was meant; the list has to end somewhere. */
const MAX_FAULTS = 1000;

/** Octets that are read in one go: what they hold is kept only while young, and costs the collector next to nothing. */
const BLOCK = 2 ** 13;

/**
 * Reads a master file (RFC 1035 §5) as its octets arrive, in memory that does not grow with the file. Records and faults go
 * to the sink in the order of the file, in `push` or in `end`; where the octets were cut makes no difference. After a fault
 * it goes on with the next entry, so that one reading lists them all.
 */
export class MasterFileReader {
  private readonly scanner: EntryScanner;
  private readonly entries: EntryReader;
  private buffer = Buffer.alloc(BLOCK);
  private buffered = 0;
  private isAtStart = true;
  /** Where the text of the buffer begins. */
  private line = 1;
  private detour: Detour = 'none';
  private faults = 0;
  private givenUp = false;

  constructor(
    options: MasterFileOptions,
    private readonly sink: MasterFileSink,
  ) {
    const complete = { ...DEFAULTS, ...options };
    this.scanner = new EntryScanner(complete.maxEntryOctets);
    this.entries = new EntryReader(complete, sink);
  }

  /** The file has had a thousand faults, or is no text at all: nothing more comes out, whatever is pushed. */
  get hasGivenUp(): boolean {
    return this.givenUp;
  }

  push(octets: Uint8Array): void {
    for (let at = 0; at < octets.length && !this.givenUp;) {
      const part = octets.subarray(at, at + this.buffer.length - this.buffered);
      this.buffer.set(part, this.buffered);
      this.buffered += part.length;
      at += part.length;
      if (this.buffered === this.buffer.length) this.readBuffer(false);
    }
  }

  end(): void {
    this.readBuffer(true);
  }

  private readBuffer(isLast: boolean): void {
    const text = this.buffer.toString('latin1', 0, this.buffered);
    let at = this.isAtStart ? this.readMark(text) : 0;
    while (at < text.length && !this.givenUp) {
      if (this.detour !== 'none') at = this.pass(text, at);
      else if (this.scanner.scan(text, at, isLast)) at = this.readEntry(text, at);
      else break;
    }
    this.keep(at);
  }

  /** RFC 3629 §6: programs put a mark before a text. It is no part of it, and tells text in UTF-16, which cannot be read. */
  private readMark(text: string): number {
    this.isAtStart = false;
    if (text.startsWith('\xef\xbb\xbf')) return 3;
    if (/^(?:\xff\xfe|\xfe\xff)/.test(text)) {
      this.givenUp = true;
      this.sink.fault({
        line: 1,
        column: 1,
        message: 'the file is written in UTF-16: save it as UTF-8 or plain ASCII',
      });
    }
    return 0;
  }

  private readEntry(text: string, start: number): number {
    const { fault, words, isIndented, end, lines, detour } = this.scanner;
    if (fault) this.report(fault, text, start);
    else if (words[0]) this.understand(words, isIndented, text, start);
    this.line += lines;
    this.detour = detour;
    return end;
  }

  private understand(words: readonly Word[], isIndented: boolean, text: string, start: number): void {
    const { line, column } = positionIn(text, start, this.line, words[0]?.at ?? start);
    try {
      this.entries.read({ words, isIndented, line, column });
    } catch (error) {
      if (!(error instanceof EntryFault)) throw error;
      this.report(error, text, start);
    }
  }

  private report({ message, at }: EntryFault, text: string, start: number): void {
    this.sink.fault({ ...positionIn(text, start, this.line, at), message });
    this.givenUp = ++this.faults === MAX_FAULTS;
  }

  /** Passes over the rest of a line, and over the lines behind it that go on with its entry; returns where it stopped. */
  private pass(text: string, at: number): number {
    if (this.detour === 'continuation' && !CONTINUES.has(kindAt(text, at))) {
      this.detour = 'none';
      return at;
    }
    const lineFeed = text.indexOf('\n', at);
    if (lineFeed < 0) {
      this.detour = this.detour === 'line' ? 'line' : 'entry';
      return text.length;
    }
    this.line++;
    this.detour = this.detour === 'line' ? 'none' : 'continuation';
    return lineFeed + 1;
  }

  /** Twice as much is read the next time, so that an entry which comes in small pieces is not read once for each of them. */
  private keep(from: number): void {
    const rest = this.buffer.subarray(from, this.buffered);
    const target = 2 * rest.length > this.buffer.length ? Buffer.alloc(2 * this.buffer.length) : this.buffer;
    target.set(rest);
    this.buffer = target;
    this.buffered = rest.length;
  }
}

/** How lines begin that are no entries of their own. */
const CONTINUES: ReadonlySet<number> = new Set([
  kinds.BLANK,
  kinds.LINE_FEED,
  kinds.CARRIAGE_RETURN,
  kinds.SEMICOLON,
  kinds.CLOSE,
]);
