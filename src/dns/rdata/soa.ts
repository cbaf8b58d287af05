import { WireWriter } from '../message/wire.js';
import { domainName, mailbox, uint32, period } from './fields.js';
import { recordType } from './record-type.js';

/** The service generates it; users change the zone instead. */
export const SOA = recordType({
  name: 'SOA',
  code: 6,
  rfc: 'RFC 1035 §3.3.13',
  fields: {
    primary: domainName,
    mailbox,
    serial: uint32,
    refresh: period,
    retry: period,
    expire: period,
    minimum: period,
  },
  example: { name: 'example.org.', data: 'ns1.example.org. hostmaster.example.org. 1 3600 600 86400 300' },
});

export type SoaFields = ReturnType<typeof SOA.values>;

/** Does not check the values: a secondary serves the SOA of its primary. */
export function soaRdata({ primary, mailbox, serial, refresh, retry, expire, minimum }: SoaFields): Uint8Array {
  const out = new WireWriter().name(primary).name(mailbox);
  return out.uint32(serial).uint32(refresh).uint32(retry).uint32(expire).uint32(minimum).finish();
}
