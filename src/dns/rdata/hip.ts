import type { DomainName } from '../name.js';
import { parseDecimal } from './tokens.js';
import { decodeBase64, decodeHex, encodeBase64, encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { domainName } from './fields.js';
import { wordsForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { recordType } from './record-type.js';

/** RFC 8005 §5: wire form has both lengths first. */
interface HostIdentity {
  readonly algorithm: number;
  readonly tag: Uint8Array;
  readonly key: Uint8Array;
}

const hostIdentity: Field<HostIdentity> = {
  form: 'algorithm 0–255, tag in hexadecimal, key in base64',
  parse(tokens) {
    const algorithm = parseDecimal(tokens, 'algorithm', 0xff);
    const tag = decodeHex(tokens.unquoted('host identity tag'));
    if (!tag) throw new RdataError('the host identity tag is not hexadecimal: write two digits for each octet');
    const key = decodeBase64(tokens.unquoted('public key'));
    if (!key) throw new RdataError('the public key is not base64: check it for missing characters and padding');
    return { algorithm, tag, key };
  },
  print: ({ algorithm, tag, key }) => `${algorithm} ${encodeHex(tag)} ${encodeBase64(key)}`,
  read(wire) {
    const tagLength = wire.uint8();
    const algorithm = wire.uint8();
    const keyLength = wire.uint16();
    return { algorithm, tag: wire.octets(tagLength), key: wire.octets(keyLength) };
  },
  write({ algorithm, tag, key }, out) {
    out.uint8(tag.length).uint8(algorithm).uint16(key.length).octets(tag).octets(key);
  },
  check({ tag, key }) {
    if (tag.length === 0 || tag.length > 0xff)
      throw new RdataError('the host identity tag is empty or too long: give it 1 to 255 octets');
    if (key.length === 0 || key.length > 0xffff)
      throw new RdataError('the public key is empty or too long: give it 1 to 65535 octets');
  },
};

const rendezvousServers: Field<readonly DomainName[]> = {
  form: 'domain names, or none',
  parse(tokens, label) {
    const names: DomainName[] = [];
    while (!tokens.isAtEnd) names.push(domainName.parse(tokens, label));
    return names;
  },
  print: (value) => value.join(' '),
  read(wire) {
    const names: DomainName[] = [];
    while (wire.remaining > 0) names.push(wire.name());
    return names;
  },
  write(value, out) {
    for (const name of value) out.name(name);
  },
  check(value, label) {
    for (const name of value) domainName.check?.(name, label);
  },
  canonicalize: (value) => value.map((name) => name.canonical),
  json: { ...wordsForm('domain_name', (value: readonly DomainName[]) => value.map(String)), optional: true },
};

/** Identity of a host, and its rendezvous servers. */
export const HIP = recordType({
  name: 'HIP',
  code: 55,
  rfc: 'RFC 8005 §5',
  fields: { hostIdentity, rendezvousServers },
  example: {
    name: 'host.example.org.',
    data: '2 200100107b1a74df365639cc39f1d578 AwEAAbdxyhNuSutc5EMzxTs9LBPCIkOFH8cIvM4p rvs.example.net.',
  },
});
