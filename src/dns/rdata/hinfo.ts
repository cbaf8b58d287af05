import { characterString } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 1035 §3.3.2 — a host's machine and system; RFC 8482 §4.2 answers ANY queries with it. */
export const HINFO = recordType({
  name: 'HINFO',
  code: 13,
  rfc: 'RFC 1035 §3.3.2',
  fields: { machine: characterString, operatingSystem: characterString },
  example: { name: 'host.example.org.', data: '"RFC8482" ""' },
});
