import type { DomainName } from '../../name.js';
import { MetaType, RecordClass } from '../codes.js';
import { WireReader } from '../wire-reader.js';
import { WireWriter } from '../wire-writer.js';

/** The signature of a message (RFC 8945 §4.2). */
export interface Tsig {
  readonly keyName: DomainName;
  readonly algorithm: DomainName;
  /** Seconds since 1970, 48 bits. */
  readonly timeSigned: number;
  /** By how many seconds the clocks may differ. */
  readonly fudge: number;
  readonly mac: Uint8Array;
  readonly originalId: number;
  /** Zero, or what was wrong with the signature of the request. */
  readonly error: number;
  /** With BADTIME the clock of the server, in 48 bits; otherwise empty. */
  readonly otherData: Uint8Array;
}

/** A signature that was read from a message. */
export interface TsigRecord extends Tsig {
  /** The offset in the message at which the record begins. */
  readonly start: number;
}

/**
 * Reads the RDATA; the algorithm's name in it is not compressed.
 * @throws WireError
 */
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

/** The octets of the whole record. */
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

/** A time of 48 bits, in seconds since 1970. */
export function readTime(wire: WireReader): number {
  return wire.uint16() * 2 ** 32 + wire.uint32();
}

export function writeTime(out: WireWriter, seconds: number): WireWriter {
  return out.uint16(Math.floor(seconds / 2 ** 32)).uint32(seconds % 2 ** 32);
}
