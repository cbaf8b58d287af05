import { WireReader, WireWriter, HEADER_OCTETS } from '../wire.js';
import type { DomainName } from '../../name.js';
import { MetaType, RecordClass } from '../codes.js';

/** RFC 8945 §4.2. */
export interface Tsig {
  readonly keyName: DomainName;
  readonly algorithm: DomainName;
  /** Seconds since 1970, 48 bits. */
  readonly timeSigned: number;
  /** Permitted clock difference in seconds. */
  readonly fudge: number;
  readonly mac: Uint8Array;
  readonly originalId: number;
  /** Error of the request's signature, or zero. */
  readonly error: number;
  /** With BADTIME, the server time in 48 bits; otherwise empty. */
  readonly otherData: Uint8Array;
}

export interface TsigRecord extends Tsig {
  readonly start: number;
}

/** The algorithm name is not compressed. @throws WireError */
export function readTsig(keyName: DomainName, rdata: Uint8Array, start: number): TsigRecord {
  const wire = new WireReader(rdata);
  const record = {
    keyName,
    algorithm: wire.name(),
    timeSigned: readTime(wire),
    fudge: wire.uint16(),
    mac: wire.octets(wire.uint16()),
    originalId: wire.uint16(),
    error: wire.uint16(),
    otherData: wire.octets(wire.uint16()),
    start,
  };
  wire.assertAtEnd();
  return record;
}

export function tsigOctets(tsig: Tsig): Uint8Array {
  const rdata = new WireWriter().name(tsig.algorithm);
  writeTime(rdata, tsig.timeSigned).uint16(tsig.fudge).uint16(tsig.mac.length).octets(tsig.mac);
  rdata.uint16(tsig.originalId).uint16(tsig.error).uint16(tsig.otherData.length).octets(tsig.otherData);
  const octets = rdata.finish();
  return new WireWriter()
    .name(tsig.keyName)
    .uint16(MetaType.TSIG)
    .uint16(RecordClass.ANY)
    .uint32(0)
    .uint16(octets.length)
    .octets(octets)
    .finish();
}

/** 48 bits, seconds since 1970. */
export function readTime(wire: WireReader): number {
  return wire.uint16() * 2 ** 32 + wire.uint32();
}

export function writeTime(out: WireWriter, seconds: number): WireWriter {
  return out.uint16(Math.floor(seconds / 2 ** 32)).uint32(seconds % 2 ** 32);
}

/** Permitted clock difference in seconds (RFC 8945 §10). */
export const FUDGE = 300;

/** Includes the length (RFC 8945 §4.3.1, §5.3.1). */
export function priorMac(mac: Uint8Array): Uint8Array {
  return new WireWriter().uint16(mac.length).octets(mac).finish();
}

/** Reconstructs the signed message: without TSIG and with the original id (RFC 8945 §4.3.2). */
export function unsignedParts(octets: Uint8Array, { start, originalId }: TsigRecord): readonly Uint8Array[] {
  const header = Buffer.from(octets.subarray(0, HEADER_OCTETS));
  header.writeUInt16BE(originalId, 0);
  header.writeUInt16BE(header.readUInt16BE(10) - 1, 10);
  return [header, octets.subarray(HEADER_OCTETS, start)];
}

/** Signed in the first message (RFC 8945 §4.3.3), with names in lower case. */
export function tsigVariables(tsig: Omit<Tsig, 'mac' | 'originalId'>): Uint8Array {
  const out = new WireWriter().name(tsig.keyName.canonical).uint16(RecordClass.ANY).uint32(0);
  writeTime(out.name(tsig.algorithm.canonical), tsig.timeSigned).uint16(tsig.fudge).uint16(tsig.error);
  return out.uint16(tsig.otherData.length).octets(tsig.otherData).finish();
}

/** Replaces the variables in later messages of a transfer (RFC 8945 §5.3.1). */
export function tsigTimers({ timeSigned, fudge }: Pick<Tsig, 'timeSigned' | 'fudge'>): Uint8Array {
  return writeTime(new WireWriter(), timeSigned).uint16(fudge).finish();
}
