import { DomainName } from '../name.js';
import { CDNSKEY, CDS } from '../rdata/dnssec.js';
import { encodeBase64 } from '../rdata/encodings.js';
import { SOA } from '../rdata/soa.js';
import { typeName } from '../rdata/type-names.js';
import { Type } from './wire-set.js';
import { chainKind, typesIn } from './denial.js';
import { RRSIG_FIXED_OCTETS } from './rrsig.js';

const WRITERS: ReadonlyMap<number, (rdata: Uint8Array, apex: DomainName) => string> = new Map([
  [Type.RRSIG, writeRrsig],
  [Type.NSEC, writeNsec],
  // DNSKEY and CDNSKEY have one format.
  [Type.DNSKEY, (rdata) => CDNSKEY.toText(rdata)],
  [Type.CDNSKEY, (rdata) => CDNSKEY.toText(rdata)],
  [Type.CDS, (rdata) => CDS.toText(rdata)],
  [Type.SOA, (rdata) => SOA.toText(rdata)],
  [Type.NSEC3, writeNsec3],
  [Type.NSEC3PARAM, () => '1 0 0 -'],
]);

export function signedDataToText(type: number, rdata: Uint8Array, apex: DomainName): string | null {
  return WRITERS.get(type)?.(rdata, apex) ?? null;
}

/** RFC 4034 §3.2. */
function writeRrsig(rdata: Uint8Array): string {
  const head = Buffer.from(rdata.buffer, rdata.byteOffset, rdata.length);
  const [type, ttl] = [head.readUInt16BE(0), head.readUInt32BE(4)];
  const [expiration, inception] = [timeOf(head.readUInt32BE(8)), timeOf(head.readUInt32BE(12))];
  const signer = DomainName.read(rdata, RRSIG_FIXED_OCTETS);
  const signature = encodeBase64(rdata.subarray(RRSIG_FIXED_OCTETS + signer.wire.length));
  return (
    `${typeName(type)} ${head[2]} ${head[3]} ${ttl} ${expiration} ${inception} ${head.readUInt16BE(16)}` +
    ` ${signer.toString()} ${signature}`
  );
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:mm:SS'.length).replace(/\D/g, '');
}

/** RFC 4034 §4.2. */
function writeNsec(rdata: Uint8Array, apex: DomainName): string {
  const { next, bitmap } = chainKind('nsec').read(rdata, apex);
  return [next.toString(), ...typesIn(bitmap).map(typeName)].join(' ');
}

/** RFC 5155 §3.3; the first label of the next owner name is the hash. */
function writeNsec3(rdata: Uint8Array, apex: DomainName): string {
  const { next, bitmap } = chainKind('nsec3').read(rdata, apex);
  const [hash = ''] = next.toString().split('.');
  return ['1 0 0 -', hash, ...typesIn(bitmap).map(typeName)].join(' ');
}
