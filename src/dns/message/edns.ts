import { MetaType } from './codes.js';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/** An option of EDNS (RFC 6891 §6.1.2). */
export interface EdnsOption {
  readonly code: number;
  readonly data: Uint8Array;
}

/** What an OPT record says (RFC 6891 §6.1), but for its part of the RCODE, which the header has. */
export interface Edns {
  /** The octets that a datagram for the sender may have. */
  readonly udpPayloadSize: number;
  readonly version: number;
  /** The DO bit (RFC 3225); an answer repeats it. */
  readonly isDnssecOk: boolean;
  readonly options: readonly EdnsOption[];
}

/** An OPT record: what it says, and the upper eight bits of the RCODE. */
export interface OptRecord {
  readonly edns: Edns;
  readonly rcodeBits: number;
}

/** Options that the service knows by name (IANA, DNS EDNS0 Option Codes). */
export const EdnsOptionCode = { NSID: 3, COOKIE: 10 } as const;

const DO = 0x8000;
/** RFC 6891 §6.2.3: less counts as this, which every receiver takes (RFC 1035 §4.2.1). */
const SMALLEST_UDP_PAYLOAD = 512;

/** The data of the first option with that code. */
export function ednsOption(edns: Edns | null, code: number): Uint8Array | undefined {
  return edns?.options.find((option) => option.code === code)?.data;
}

/** How many octets a datagram may have that answers a request with this EDNS; `largest` is what the answering side sends at most. */
export function udpPayloadLimit(edns: Edns | null, largest: number): number {
  if (edns === null) return SMALLEST_UDP_PAYLOAD;
  return Math.max(SMALLEST_UDP_PAYLOAD, Math.min(edns.udpPayloadSize, largest));
}

/**
 * Reads what stands behind the type of an OPT record in place of class, TTL and RDATA. Options are read in version 0 only:
 * another version may have another form.
 * @throws WireError
 */
export function readOpt(udpPayloadSize: number, ttl: number, rdata: Uint8Array): OptRecord {
  const version = (ttl >>> 16) & 0xff;
  const options = version === 0 ? readOptions(new WireReader(rdata)) : [];
  return { edns: { udpPayloadSize, version, isDnssecOk: (ttl & DO) !== 0, options }, rcodeBits: ttl >>> 24 };
}

/** The octets of an OPT record, with the upper eight bits of the RCODE. */
export function optOctets(edns: Edns, rcode: number): Uint8Array {
  const options = new WireWriter();
  for (const { code, data } of edns.options) options.uint16(code).uint16(data.length).octets(data);
  const rdata = options.finish();
  return new WireWriter()
    .uint8(0)
    .uint16(MetaType.OPT)
    .uint16(edns.udpPayloadSize)
    .uint8(rcode >>> 4)
    .uint8(edns.version)
    .uint16(edns.isDnssecOk ? DO : 0)
    .uint16(rdata.length)
    .octets(rdata)
    .finish();
}

function readOptions(wire: WireReader): EdnsOption[] {
  const options: EdnsOption[] = [];
  while (wire.remaining > 0) {
    const code = wire.uint16();
    options.push({ code, data: wire.octets(wire.uint16()) });
  }
  return options;
}
