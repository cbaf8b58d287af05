import { HEADER_OCTETS, WireError, WireWriter } from './wire.js';
import { NameError } from '../name.js';
import { RdataError, RecordTypes, SOA, STANDARD_TYPES } from '../rdata/index.js';
import { MetaType, RecordClass, Opcode, Rcode } from './codes.js';
import { CompressedReader } from './compressed-reader.js';
import { isCookie } from './cookies.js';
import { EdnsOptionCode, ednsOption, type OptRecord, readOpt } from './edns.js';
import { readCounts, readHeader } from './header.js';
import {
  type Header,
  type Message,
  MessageError,
  refusedRequest,
  type Question,
  type ResourceRecord,
} from './message.js';
import { DECOMPRESSED_RDATA, type NamesInRdata } from './rdata-names.js';
import { readTsig, type TsigRecord } from './tsig/tsig-record.js';

const MAX_MESSAGE = 0xffff;
const EXTENSIBLE_TYPES: ReadonlySet<string> = new Set(['APL', 'IPSECKEY', 'AMTRELAY']);
/** Without extensible types: a new form must not refuse the whole message. */
const TYPES = new RecordTypes([...STANDARD_TYPES, SOA].filter(({ name }) => !EXTENSIBLE_TYPES.has(name)));
const QUERY_OPCODES: readonly number[] = [Opcode.QUERY, Opcode.NOTIFY];

/**
 * Strict (RFC 1035 §4): complete, without a trailer, and with valid RDATA of known types in class IN. The octets, not
 * the counts, bound time and memory. Returns views. @throws MessageError FORMERR, and nothing else
 */
export function readMessage(octets: Uint8Array): Message {
  return asMessageErrors(() => new MessageReading(octets).message());
}

/**
 * Accepts any RDATA: a secondary serves the records of its primary. Decompresses names if possible.
 * @throws MessageError FORMERR, and nothing else
 */
export function readTransferMessage(octets: Uint8Array): Message {
  return asMessageErrors(() => new MessageReading(octets, ANY_RDATA).message());
}

const ANY_RDATA: RdataReading = {
  assert(type, rdata) {
    if (type === SOA.code) SOA.values(rdata);
  },
  mayHaveNoNames: (type) => type !== SOA.code,
};

/**
 * `readUpdate` checks the sections of an UPDATE after its signature.
 * @throws MessageError without a request for a response (RFC 1035 §4.1.1); NOTIMP for an opcode not in `served`;
 * BADVERS for a later EDNS version (RFC 6891 §6.1.3); FORMERR for a wrong cookie length (RFC 7873 §5.2.2), and for
 * other than one question (RFC 9619 §4) unless the query only requests a cookie (RFC 7873 §5.4)
 */
export function readRequest(octets: Uint8Array, served: readonly number[] = QUERY_OPCODES): Message {
  const header = readHeader(octets);
  if (header.isResponse) throw new MessageError(Rcode.FORMERR, 'a response is not a request');
  if (!served.includes(header.opcode))
    throw new MessageError(Rcode.NOTIMP, `opcode ${header.opcode} is not served`, { header, question: null });
  const message = readAnswerable(octets, header);
  assertVersion(message);
  assertCookie(message);
  assertOneQuestion(message);
  return message;
}

/** RFC 1995 §3. @throws MessageError FORMERR unless the authority section has one SOA of the zone */
export function clientSerial(message: Message): number {
  const { questions, authorities } = message;
  const [question] = questions;
  const [soa, ...others] = authorities;
  const isInternet = soa?.class === RecordClass.IN && question?.class === RecordClass.IN;
  const isOfZone = isInternet && soa.type === SOA.code && soa.owner.equals(question.name);
  if (isOfZone && others.length === 0) return SOA.values(soa.rdata).serial;
  const text = 'an IXFR query needs the SOA of its zone in the authority section';
  throw new MessageError(Rcode.FORMERR, text, refusedRequest(message));
}

interface RdataReading {
  assert(type: number, rdata: Uint8Array): void;
  /** Keeps malformed octets of a type with names instead of refusing the message. */
  mayHaveNoNames(type: number): boolean;
}

const STRICT: RdataReading = {
  assert(type, rdata) {
    TYPES.byCode(type)?.values(rdata);
  },
  mayHaveNoNames: () => false,
};

class MessageReading {
  private readonly reader: CompressedReader;
  private opt: OptRecord | null = null;
  private tsig: TsigRecord | null = null;
  /** A class other than IN whose RDATA has the form of its type. */
  private classWithData: number = RecordClass.IN;

  constructor(
    private readonly octets: Uint8Array,
    private readonly reading = STRICT,
  ) {
    this.reader = new CompressedReader(octets, HEADER_OCTETS);
  }

  message(): Message {
    const header = readHeader(this.octets);
    if (this.octets.length > MAX_MESSAGE) throw new WireError('the message is longer than 65535 octets');
    const [questionCount, answerCount, authorityCount, additionalCount] = readCounts(this.octets);
    const questions = this.questions(questionCount);
    const answers = this.records(answerCount);
    // RFC 2136 §2.5.4: the class of records to delete.
    if (header.opcode === Opcode.UPDATE) this.classWithData = RecordClass.NONE;
    const authorities = this.records(authorityCount);
    this.classWithData = RecordClass.IN;
    const additionals = this.additionals(additionalCount);
    this.reader.assertAtEnd();
    return {
      header: { ...header, rcode: header.rcode | ((this.opt?.rcodeBits ?? 0) << 4) },
      questions,
      answers,
      authorities,
      additionals,
      edns: this.opt?.edns ?? null,
      tsig: this.tsig,
    };
  }

  private questions(count: number): Question[] {
    const questions: Question[] = [];
    while (questions.length < count) {
      questions.push({ name: this.reader.name(), type: this.reader.uint16(), class: this.reader.uint16() });
    }
    return questions;
  }

  private records(count: number): ResourceRecord[] {
    const records: ResourceRecord[] = [];
    while (records.length < count) {
      const record = this.record();
      if (record.type === MetaType.OPT || record.type === MetaType.TSIG)
        throw new WireError('OPT and TSIG records belong to the additional section');
      records.push(record);
    }
    return records;
  }

  private additionals(count: number): ResourceRecord[] {
    const records: ResourceRecord[] = [];
    for (let read = 0; read < count; read++) {
      const start = this.reader.offset;
      const record = this.record();
      if (record.type === MetaType.OPT) this.readOpt(record);
      else if (record.type === MetaType.TSIG) this.readTsig(record, start, read === count - 1);
      else records.push(record);
    }
    return records;
  }

  private record(): ResourceRecord {
    const { reader } = this;
    const [owner, type, recordClass, ttl] = [reader.name(), reader.uint16(), reader.uint16(), reader.uint32()];
    const rdata = this.rdata(type, recordClass, reader.uint16());
    return { owner, type, class: recordClass, ttl, rdata };
  }

  private rdata(type: number, recordClass: number, length: number): Uint8Array {
    const start = this.reader.offset;
    const octets = this.reader.octets(length);
    if (recordClass !== RecordClass.IN && recordClass !== this.classWithData) return octets;
    const names = DECOMPRESSED_RDATA.get(type);
    const rdata = names ? this.withNames(type, octets, start, names) : octets;
    this.reading.assert(type, rdata);
    return rdata;
  }

  private withNames(type: number, octets: Uint8Array, start: number, names: NamesInRdata): Uint8Array {
    try {
      return this.decompressed(start, start + octets.length, names);
    } catch (error) {
      if (error instanceof WireError && this.reading.mayHaveNoNames(type)) return octets;
      throw error;
    }
  }

  private decompressed(start: number, end: number, { before, strings, names }: NamesInRdata): Uint8Array {
    const reader = new CompressedReader(this.octets, start, end);
    const rdata = new WireWriter().octets(reader.octets(before));
    for (let read = 0; read < strings; read++) {
      const length = reader.uint8();
      rdata.uint8(length).octets(reader.octets(length));
    }
    for (let read = 0; read < names; read++) rdata.name(reader.name());
    return rdata.octets(reader.rest()).finish();
  }

  /** RFC 6891 §6.1.1. */
  private readOpt({ owner, class: udpPayloadSize, ttl, rdata }: ResourceRecord): void {
    if (this.opt !== null) throw new WireError('more than one OPT record');
    if (owner.labelCount > 0) throw new WireError('the OPT record is not at the root');
    this.opt = readOpt(udpPayloadSize, ttl, rdata);
  }

  /** RFC 8945 §5.1, §5.2. */
  private readTsig({ owner, class: recordClass, ttl, rdata }: ResourceRecord, start: number, isLast: boolean): void {
    if (!isLast) throw new WireError('the TSIG record is not the last one');
    if (recordClass !== RecordClass.ANY || ttl !== 0) throw new WireError('the TSIG record has a class or TTL');
    this.tsig = readTsig(owner, rdata, start);
  }
}

function readAnswerable(octets: Uint8Array, header: Header): Message {
  try {
    return readMessage(octets);
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    throw formatError(header, error.message);
  }
}

function assertVersion(message: Message): void {
  const { edns } = message;
  if (edns === null || edns.version === 0) return;
  const text = `EDNS version ${edns.version} is not served`;
  throw new MessageError(Rcode.BADVERS, text, refusedRequest(message));
}

function assertCookie({ header, edns }: Message): void {
  const cookie = ednsOption(edns, EdnsOptionCode.COOKIE);
  if (cookie !== undefined && !isCookie(cookie)) throw formatError(header, 'the cookie has a wrong length');
}

function assertOneQuestion({ header, questions, edns }: Message): void {
  if (header.opcode === Opcode.UPDATE) return;
  const mayHaveNone = header.opcode === Opcode.QUERY && ednsOption(edns, EdnsOptionCode.COOKIE) !== undefined;
  if (questions.length === 1 || (questions.length === 0 && mayHaveNone)) return;
  throw formatError(header, `${questions.length} questions instead of one`);
}

function formatError(header: Header, message: string): MessageError {
  return new MessageError(Rcode.FORMERR, message, { header, question: null });
}

function asMessageErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isOfOctets = error instanceof WireError || error instanceof NameError || error instanceof RdataError;
    throw isOfOctets ? new MessageError(Rcode.FORMERR, error.message) : error;
  }
}
