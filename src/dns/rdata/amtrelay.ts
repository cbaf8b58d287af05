import { quoted } from '../name.js';
import { parseDecimal } from './decimal.js';
import type { Field } from './field.js';
import { uint8 } from './fields.js';
import {
  canonicalGateway,
  checkGateway,
  type Gateway,
  parseGateway,
  printGateway,
  readGateway,
  writeGateway,
} from './gateway.js';
import { RdataError, recordType } from './record-type.js';

/** A relay, and whether clients look for a nearer one first: the top bit of the octet of its type (RFC 8777 §4.2). */
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

/** RFC 8777 §4 — a relay for multicast traffic of the source. */
export const AMTRELAY = recordType({
  name: 'AMTRELAY',
  code: 260,
  rfc: 'RFC 8777 §4',
  fields: { precedence: uint8, relay },
  example: { name: 'source.example.org.', data: '10 0 3 amtrelays.example.net.' },
});
