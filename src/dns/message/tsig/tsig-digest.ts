import { HEADER_OCTETS } from '../header.js';
import { RecordClass } from '../codes.js';
import { type Tsig, type TsigRecord, writeTime } from './tsig-record.js';
import { WireWriter } from '../wire-writer.js';

/** By how many seconds clocks may differ (RFC 8945 §10). */
export const FUDGE = 300;

/** The MAC before this one in the exchange, with its length (RFC 8945 §4.3.1, §5.3.1). */
export function priorMac(mac: Uint8Array): Uint8Array {
  return new WireWriter().uint16(mac.length).octets(mac).finish();
}

/** The message as it was when it was signed: without the TSIG record and with its first id (RFC 8945 §4.3.2). */
export function unsignedParts(octets: Uint8Array, { start, originalId }: TsigRecord): readonly Uint8Array[] {
  const header = Buffer.from(octets.subarray(0, HEADER_OCTETS));
  header.writeUInt16BE(originalId, 0);
  header.writeUInt16BE(header.readUInt16BE(10) - 1, 10);
  return [header, octets.subarray(HEADER_OCTETS, start)];
}

/** The variables that are signed in the first message of each side (RFC 8945 §4.3.3); names are in lower case. */
export function tsigVariables(tsig: Omit<Tsig, 'mac' | 'originalId'>): Uint8Array {
  const out = new WireWriter().name(tsig.keyName.canonical).uint16(RecordClass.ANY).uint32(0);
  writeTime(out.name(tsig.algorithm.canonical), tsig.timeSigned).uint16(tsig.fudge).uint16(tsig.error);
  return out.uint16(tsig.otherData.length).octets(tsig.otherData).finish();
}

/** What is signed instead of them in all other messages of a transfer (RFC 8945 §5.3.1). */
export function tsigTimers({ timeSigned, fudge }: Pick<Tsig, 'timeSigned' | 'fudge'>): Uint8Array {
  return writeTime(new WireWriter(), timeSigned).uint16(fudge).finish();
}
