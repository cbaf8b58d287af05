import { freeTextType } from './free-text.js';

/** RFC 1035 §3.3.14 — free text. */
export const TXT = freeTextType({ name: 'TXT', code: 16, rfc: 'RFC 1035 §3.3.14' });
