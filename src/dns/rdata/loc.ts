import { location } from './location.js';
import { recordType } from './record-type.js';

/** RFC 1876 §2 — a place on Earth: latitude, longitude, altitude, and how precise they are. */
export const LOC = recordType({
  name: 'LOC',
  code: 29,
  rfc: 'RFC 1876 §2',
  fields: { location },
  example: { name: 'example.org.', data: '51 30 12.748 N 0 7 39.611 W 0.00m' },
});
