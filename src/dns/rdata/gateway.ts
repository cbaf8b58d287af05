import { type DomainName, quoted } from '../name.js';
import type { WireReader } from '../message/wire-reader.js';
import type { WireWriter } from '../message/wire-writer.js';
import { domainName, hostName, ipv4, ipv6 } from './fields.js';
import { RdataError } from './rdata-error.js';
import type { TokenReader } from './token-reader.js';

/** The host that IPSECKEY (RFC 4025 §2.5) and AMTRELAY (RFC 8777 §4.2.4) name, in the form that its type says. */
export type Gateway =
  | { readonly type: 0 }
  | { readonly type: 1 | 2; readonly address: Uint8Array }
  | { readonly type: 3; readonly name: DomainName };

/** @throws RdataError */
export function parseGateway(tokens: TokenReader, type: number, label: string): Gateway {
  if (type === 1) return { type, address: ipv4.parse(tokens, label) };
  if (type === 2) return { type, address: ipv6.parse(tokens, label) };
  if (type === 3) return { type, name: domainName.parse(tokens, label) };
  assertNone(type, label);
  const text = tokens.unquoted(label);
  if (text !== '.') throw new RdataError(`the ${label} ${quoted(text)} has type 0, which names none: write .`);
  return { type: 0 };
}

/** @throws RdataError */
export function readGateway(wire: WireReader, type: number, label: string): Gateway {
  if (type === 1) return { type, address: ipv4.read(wire) };
  if (type === 2) return { type, address: ipv6.read(wire) };
  if (type === 3) return { type, name: domainName.read(wire) };
  assertNone(type, label);
  return { type: 0 };
}

export function writeGateway(gateway: Gateway, out: WireWriter): void {
  if (gateway.type === 3) domainName.write(gateway.name, out);
  else if (gateway.type !== 0) out.octets(gateway.address);
}

export function printGateway(gateway: Gateway): string {
  if (gateway.type === 0) return '.';
  if (gateway.type === 3) return gateway.name.toString();
  return (gateway.type === 1 ? ipv4 : ipv6).print(gateway.address);
}

/**
 * NSD loads an IPSECKEY with the name of a host alone.
 * @throws RdataError
 */
export function checkGateway(gateway: Gateway, label: string): void {
  if (gateway.type === 3) hostName.check?.(gateway.name, label);
}

export function canonicalGateway(gateway: Gateway): Gateway {
  return gateway.type === 3 ? { type: 3, name: gateway.name.canonical } : gateway;
}

function assertNone(type: number, label: string): void {
  if (type === 0) return;
  throw new RdataError(
    `the ${label} type ${type} has no meaning: use 0 (none), 1 (IPv4), 2 (IPv6) or 3 (a domain name)`,
  );
}
