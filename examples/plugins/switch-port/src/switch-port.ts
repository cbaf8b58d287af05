import { type Field, fields, RdataError, recordType } from 'zonewright';

/** A place in a switch. */
interface SlotAndPort {
  readonly slot: number;
  readonly port: number;
}

/** Text: `1/24`. Octets: one for the slot, two for the port. */
const slotAndPort: Field<SlotAndPort> = {
  form: 'slot and port as in 1/24',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    const [, slot, port] = /^(0|[1-9]\d{0,2})\/([1-9]\d{0,4})$/.exec(text) ?? [];
    const read = { slot: Number(slot), port: Number(port) };
    if (slot === undefined || read.slot > 0xff || read.port > 0xffff)
      throw new RdataError(`the ${label} ${JSON.stringify(text)} is not written like 1/24`);
    return read;
  },
  print: ({ slot, port }) => `${slot}/${port}`,
  read: (wire) => ({ slot: wire.uint8(), port: wire.uint16() }),
  write: ({ slot, port }, out) => out.uint8(slot).uint16(port),
  check({ port }, label) {
    if (port === 0) throw new RdataError(`the ${label} has no port 0: they count from 1`);
  },
};

/** IEEE 802.1Q has 12 bits for it; the first and the last number are reserved. */
const vlan: Field<number> = {
  ...fields.uint16,
  form: 'number 1–4094',
  check(number, label) {
    if (number < 1 || number > 4094)
      throw new RdataError(`the ${label} ${number} cannot be used: take one of 1 to 4094`);
  },
};

/** The switch port of a host. The code is reserved for private use (RFC 6895 §3.1). */
export const SWPORT = recordType({
  name: 'SWPORT',
  code: 65310,
  rfc: 'RFC 6895 §3.1',
  fields: { switch: fields.hostName, port: slotAndPort, vlan },
  check({ switch: name }) {
    if (name.labels.length === 0) throw new RdataError('the switch "." is no host: name the switch');
  },
  placement: {
    isSingle: true,
    notAtApex: 'only hosts are plugged in',
    notAtWildcard: 'a port leads to one host',
  },
  // A check of the zone says so when the switch has no address in it.
  targets: ['switch'],
  example: { name: 'host.example.org.', data: 'sw1.example.org. 1/24 120' },
});
