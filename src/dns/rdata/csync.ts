import { uint16, uint32 } from './fields.js';
import { recordType } from './record-type.js';
import { typeBitmap } from './type-bitmap.js';

/** RFC 7477 §2.1 — the types that the parent shall copy from the child zone, and from which serial on. */
export const CSYNC = recordType({
  name: 'CSYNC',
  code: 62,
  rfc: 'RFC 7477 §2.1',
  fields: { serial: uint32, flags: uint16, types: typeBitmap },
  example: { name: 'example.org.', data: '66 3 A NS AAAA' },
});
