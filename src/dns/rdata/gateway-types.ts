import { type DomainName, quoted } from '../name.js';
import type { WireReader, WireWriter } from '../message/wire.js';
import { domainName, hostName, ipv4, ipv6, uint8, base64 } from './fields.js';
import { RdataError } from './rdata-error.js';
import { type TokenReader, parseDecimal } from './tokens.js';
import type { Field } from './field.js';
import { plainType, recordType } from './record-type.js';

/** Gateway of IPSECKEY (RFC 4025 §2.5) or relay of AMTRELAY (RFC 8777 §4.2.4). */
type Gateway =
  | { readonly type: 0 }
  | { readonly type: 1 | 2; readonly address: Uint8Array }
  | { readonly type: 3; readonly name: DomainName };

function parseGateway(tokens: TokenReader, type: number, label: string): Gateway {
  if (type === 1) return { type, address: ipv4.parse(tokens, label) };
  if (type === 2) return { type, address: ipv6.parse(tokens, label) };
  if (type === 3) return { type, name: domainName.parse(tokens, label) };
  assertNone(type, label);
  const text = tokens.unquoted(label);
  if (text !== '.') throw new RdataError(`the ${label} ${quoted(text)} has type 0, which names none: write .`);
  return { type: 0 };
}

function readGateway(wire: WireReader, type: number, label: string): Gateway {
  if (type === 1) return { type, address: ipv4.read(wire) };
  if (type === 2) return { type, address: ipv6.read(wire) };
  if (type === 3) return { type, name: domainName.read(wire) };
  assertNone(type, label);
  return { type: 0 };
}

function writeGateway(gateway: Gateway, out: WireWriter): void {
  if (gateway.type === 3) domainName.write(gateway.name, out);
  else if (gateway.type !== 0) out.octets(gateway.address);
}

function printGateway(gateway: Gateway): string {
  if (gateway.type === 0) return '.';
  if (gateway.type === 3) return gateway.name.toString();
  return (gateway.type === 1 ? ipv4 : ipv6).print(gateway.address);
}

/** NSD loads an IPSECKEY only with a host name. @throws RdataError */
function checkGateway(gateway: Gateway, label: string): void {
  if (gateway.type === 3) hostName.check?.(gateway.name, label);
}

function canonicalGateway(gateway: Gateway): Gateway {
  return gateway.type === 3 ? { type: 3, name: gateway.name.canonical } : gateway;
}

function assertNone(type: number, label: string): void {
  if (type === 0) return;
  throw new RdataError(
    `the ${label} type ${type} has no meaning: use 0 (none), 1 (IPv4), 2 (IPv6) or 3 (a domain name)`,
  );
}

/** RFC 8777 §4.2. The discovery bit tells clients to look for a nearer relay first. */
interface Relay {
  readonly isDiscoveryOptional: boolean;
  readonly gateway: Gateway;
}

const DISCOVERY_OPTIONAL = 0x80;

const relay: Field<Relay> = {
  form: 'discovery optional 0 or 1, type 0–3, and ., an address or a domain name',
  parse(tokens, label) {
    const bit = tokens.unquoted('discovery bit');
    if (bit !== '0' && bit !== '1')
      throw new RdataError(`the discovery bit ${quoted(bit)} is neither 0 nor 1: write one of them`);
    const type = parseDecimal(tokens, `${label} type`, DISCOVERY_OPTIONAL - 1);
    return { isDiscoveryOptional: bit === '1', gateway: parseGateway(tokens, type, label) };
  },
  print: ({ isDiscoveryOptional, gateway }) =>
    `${isDiscoveryOptional ? 1 : 0} ${gateway.type} ${printGateway(gateway)}`,
  read(wire) {
    const octet = wire.uint8();
    const gateway = readGateway(wire, octet % DISCOVERY_OPTIONAL, 'relay');
    return { isDiscoveryOptional: octet >= DISCOVERY_OPTIONAL, gateway };
  },
  write({ isDiscoveryOptional, gateway }, out) {
    writeGateway(gateway, out.uint8(gateway.type + (isDiscoveryOptional ? DISCOVERY_OPTIONAL : 0)));
  },
  check({ gateway }, label) {
    checkGateway(gateway, label);
  },
  canonicalize: ({ isDiscoveryOptional, gateway }) => ({ isDiscoveryOptional, gateway: canonicalGateway(gateway) }),
};

/** Relay for multicast traffic of the source. */
export const AMTRELAY = plainType('AMTRELAY', 260, 'RFC 8777 §4', 'source.example.org. 10 0 3 amtrelays.example.net.', {
  precedence: uint8,
  relay,
});

/** RFC 4025 §2.1, §3.1: the key algorithm is between gateway type and gateway. */
interface KeyGateway {
  readonly algorithm: number;
  readonly gateway: Gateway;
}

const keyGateway: Field<KeyGateway> = {
  form: 'type 0–3, algorithm 0–255, and ., an address or a domain name',
  parse(tokens, label) {
    const type = parseDecimal(tokens, `${label} type`, 0xff);
    const algorithm = parseDecimal(tokens, 'algorithm', 0xff);
    return { algorithm, gateway: parseGateway(tokens, type, label) };
  },
  print: ({ algorithm, gateway }) => `${gateway.type} ${algorithm} ${printGateway(gateway)}`,
  read(wire) {
    const type = wire.uint8();
    const algorithm = wire.uint8();
    return { algorithm, gateway: readGateway(wire, type, 'gateway') };
  },
  write({ algorithm, gateway }, out) {
    writeGateway(gateway, out.uint8(gateway.type).uint8(algorithm));
  },
  check({ gateway }, label) {
    checkGateway(gateway, label);
  },
  canonicalize: ({ algorithm, gateway }) => ({ algorithm, gateway: canonicalGateway(gateway) }),
};

/** The key is required: BIND loads no zone with an IPSECKEY without one. */
export const IPSECKEY = recordType({
  name: 'IPSECKEY',
  code: 45,
  rfc: 'RFC 4025 §2',
  fields: { precedence: uint8, gateway: keyGateway, publicKey: base64 },
  example: { name: 'host.example.org.', data: '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==' },
});
