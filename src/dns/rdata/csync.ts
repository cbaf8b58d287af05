import { typeBitmap } from './type-bitmap.js';
import { uint16, uint32 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 7477 §2.1 — the types that the parent shall copy from the child zone, and from which serial on. */
export const CSYNC = recordType({
  name: 'CSYNC',
  code: 62,
  rfc: 'RFC 7477 §2.1',
  fields: [uint32('serial'), uint16('flags'), typeBitmap('types')],
  example: { name: 'example.org.', data: '66 3 A NS AAAA' },
});
