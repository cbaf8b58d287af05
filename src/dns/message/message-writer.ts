import { type Edns, optOctets } from './edns.js';
import { HEADER_OCTETS } from './wire.js';
import { writeHeader } from './header.js';
import type { Header, Question, ResourceRecord } from './message.js';
import { MAX_MESSAGE_OCTETS, MessageBuffer } from './message-buffer.js';

export interface MessageContent {
  readonly header: Header;
  readonly questions?: readonly Question[];
  readonly answers?: readonly ResourceRecord[];
  readonly authorities?: readonly ResourceRecord[];
  readonly additionals?: readonly ResourceRecord[];
  readonly edns?: Edns | null;
}

/** Compresses names. An RCODE above 15 needs EDNS (RFC 6891 §6.1.3). @throws RangeError above 65,535 octets */
export function writeMessage(content: MessageContent): Buffer {
  const { header, questions = [], answers = [], authorities = [], additionals = [], edns = null } = content;
  BUFFER.start(HEADER_OCTETS);
  for (const question of questions) writeQuestion(question);
  for (const record of [...answers, ...authorities, ...additionals]) writeRecord(record);
  if (edns !== null) BUFFER.copy(optOctets(edns, header.rcode));
  const message = BUFFER.copyFrom(0);
  const additionalCount = additionals.length + (edns === null ? 0 : 1);
  writeHeader(message, header, [questions.length, answers.length, authorities.length, additionalCount]);
  return message;
}

/** Prefixes the length for TCP (RFC 1035 §4.2.2). */
export function framed(message: Uint8Array): Buffer {
  if (message.length > MAX_MESSAGE_OCTETS) throw new RangeError(`the message has ${message.length} octets`);
  const frame = Buffer.allocUnsafe(2 + message.length);
  frame.writeUInt16BE(message.length);
  frame.set(message, 2);
  return frame;
}

/** Shared: each message is copied out before the next one begins. */
const BUFFER = new MessageBuffer();

function writeQuestion({ name, type, class: questionClass }: Question): void {
  BUFFER.name(name.wire);
  BUFFER.uint16(type);
  BUFFER.uint16(questionClass);
}

function writeRecord({ owner, type, class: recordClass, ttl, rdata }: ResourceRecord): void {
  BUFFER.record(owner.wire, type, recordClass, ttl, rdata);
}
