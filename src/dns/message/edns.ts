import { MetaType } from './codes.js';
import { WireReader, WireWriter } from './wire.js';

/** RFC 6891 §6.1.2. */
export interface EdnsOption {
  readonly code: number;
  readonly data: Uint8Array;
}

/** OPT record (RFC 6891 §6.1) without its RCODE bits, which belong to the header. */
export interface Edns {
  /** Largest datagram for the sender, in octets. */
  readonly udpPayloadSize: number;
  readonly version: number;
  /** DO bit (RFC 3225), which an answer repeats. */
  readonly isDnssecOk: boolean;
  readonly options: readonly EdnsOption[];
}

export interface OptRecord {
  readonly edns: Edns;
  /** Upper eight bits of the RCODE. */
  readonly rcodeBits: number;
}

/** IANA, DNS EDNS0 Option Codes. */
export const EdnsOptionCode = { NSID: 3, COOKIE: 10, PADDING: 12 } as const;

const DO = 0x8000;
/** RFC 6891 §6.2.3: lower values count as 512, which every receiver accepts (RFC 1035 §4.2.1). */
const SMALLEST_UDP_PAYLOAD = 512;

export function ednsOption(edns: Edns | null, code: number): Uint8Array | undefined {
  return edns?.options.find((option) => option.code === code)?.data;
}

/** Octets. @param largest limit of the server */
export function udpPayloadLimit(edns: Edns | null, largest: number): number {
  if (edns === null) return SMALLEST_UDP_PAYLOAD;
  return Math.max(SMALLEST_UDP_PAYLOAD, Math.min(edns.udpPayloadSize, largest));
}

/** Reads options of version 0 only, because later versions may change their form. @throws WireError */
export function readOpt(udpPayloadSize: number, ttl: number, rdata: Uint8Array): OptRecord {
  const version = (ttl >>> 16) & 0xff;
  const options = version === 0 ? readOptions(new WireReader(rdata)) : [];
  return { edns: { udpPayloadSize, version, isDnssecOk: (ttl & DO) !== 0, options }, rcodeBits: ttl >>> 24 };
}

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

const OPTION_HEADER = 4;
/** RFC 8467 §4.1. */
const PADDING_BLOCK = 468;

/**
 * Adds padding to the next multiple of 468 octets, or none where that exceeds the limit (RFC 7830).
 * @param octets of the message without padding @param most of the message with padding
 */
export function padded(edns: Edns, octets: number, most: number): Edns {
  const least = octets + OPTION_HEADER;
  const target = Math.ceil(least / PADDING_BLOCK) * PADDING_BLOCK;
  if (target > most) return edns;
  const padding = { code: EdnsOptionCode.PADDING, data: new Uint8Array(target - least) };
  return { ...edns, options: [...edns.options, padding] };
}

function readOptions(wire: WireReader): EdnsOption[] {
  const options: EdnsOption[] = [];
  while (wire.remaining > 0) {
    const code = wire.uint16();
    options.push({ code, data: wire.octets(wire.uint16()) });
  }
  return options;
}
