import { hash } from 'node:crypto';
import type { ChainLink } from '../../dns/dnssec/chain.js';
import { canonicalRdatas } from '../../dns/dnssec/canonical-rdata.js';
import { Type, isParentRequest, type WireSet } from '../../dns/dnssec/wire-set.js';
import type { ChainKind } from '../../dns/dnssec/denial.js';
import { DomainName } from '../../dns/name.js';
import { wireOfKey } from '../../dns/name-key.js';
import type { SignedSet, WireRecord } from '../../publishing/transfers/signed-zones.js';
import type { SignedSetEntity } from './signed-set.entity.js';
import type { SentSet } from './signed-set.repository.js';

const DIGEST_OCTETS = 18;

/** Generated sets. All others are in `records`. */
const MADE: ReadonlySet<number> = new Set([...[Type.SOA, Type.DNSKEY, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM]]);

export function isMade(set: Pick<WireSet, 'owner' | 'type'>, apex: DomainName): boolean {
  return MADE.has(set.type) || isParentRequest(set, apex);
}

export function isOfChain(type: number): boolean {
  return type === Type.NSEC || type === Type.NSEC3;
}

/** Identifies the content that a signature covers. */
export function digestOf({ type, ttl, rdatas }: Omit<WireSet, 'owner'>): string {
  const parts: Uint8Array[] = [Buffer.from(String(ttl))];
  for (const rdata of canonicalRdatas(type, rdatas)) parts.push(Buffer.from(`${rdata.length}:`), rdata);
  return hash('sha256', Buffer.concat(parts), 'buffer').toString('base64', 0, DIGEST_OCTETS);
}

export function textOfAll(octets: readonly Uint8Array[]): string {
  return octets.map((one) => Buffer.from(one.buffer, one.byteOffset, one.length).toString('base64')).join(' ');
}

export function octetsOfAll(text: string): Buffer[] {
  return text === '' ? [] : text.split(' ').map((one) => Buffer.from(one, 'base64'));
}

export function nameOfKey(key: string): DomainName {
  return DomainName.read(wireOfKey(key));
}

export function readSignedSet({ ownerKey, type, ttl, rdatas, signatures }: SentSet): SignedSet {
  return {
    owner: nameOfKey(ownerKey),
    type,
    ttl,
    rdatas: octetsOfAll(rdatas),
    signatures: octetsOfAll(signatures),
  };
}

export function linkOf(row: SignedSetEntity, kind: ChainKind, apex: DomainName): ChainLink {
  const [rdata] = octetsOfAll(row.rdatas);
  if (rdata === undefined) throw new Error(`${row.ownerKey} has no place in the chain`);
  return { owner: nameOfKey(row.ownerKey), bitmap: kind.read(rdata, apex).bitmap };
}

/** Encodes records in wire form, in base64. */
export function writeRecords(records: readonly WireRecord[]): string {
  return Buffer.concat(
    records.flatMap(({ owner, type, ttl, rdata }) => {
      const head = Buffer.alloc(HEAD_OCTETS);
      head.writeUInt16BE(type, 0);
      head.writeUInt32BE(ttl, 2);
      head.writeUInt16BE(rdata.length, 6);
      return [owner.wire, head, rdata];
    }),
  ).toString('base64');
}

const HEAD_OCTETS = 8;

export function readRecords(text: string): WireRecord[] {
  const octets = Buffer.from(text, 'base64');
  const records: WireRecord[] = [];
  for (let at = 0; at < octets.length;) {
    const owner = DomainName.read(octets, at);
    at += owner.wire.length;
    const [type, ttl, length] = [octets.readUInt16BE(at), octets.readUInt32BE(at + 2), octets.readUInt16BE(at + 6)];
    at += HEAD_OCTETS + length;
    records.push({ owner, type, ttl, rdata: octets.subarray(at - length, at) });
  }
  return records;
}
