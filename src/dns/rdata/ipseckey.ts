import { parseDecimal } from './decimal.js';
import type { Field } from './field.js';
import { base64, uint8 } from './fields.js';
import {
  canonicalGateway,
  checkGateway,
  type Gateway,
  parseGateway,
  printGateway,
  readGateway,
  writeGateway,
} from './gateway.js';
import { recordType } from './record-type.js';

/** The gateway of an IPSECKEY. The algorithm of the key stands between its type and its value (RFC 4025 §2.1, §3.1). */
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

/** RFC 4025 §2 — a key for IPsec. It cannot be missing: BIND loads no zone with an IPSECKEY without one. */
export const IPSECKEY = recordType({
  name: 'IPSECKEY',
  code: 45,
  rfc: 'RFC 4025 §2',
  fields: { precedence: uint8, gateway: keyGateway, publicKey: base64 },
  example: { name: 'host.example.org.', data: '10 1 2 192.0.2.38 AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==' },
});
