import { freeTextType } from './free-text.js';

/** RFC 4408 §3.1.1 — a mail policy; RFC 7208 §3.1 has given the type up for TXT, but zones still carry it. */
export const SPF = freeTextType({ name: 'SPF', code: 99, rfc: 'RFC 4408 §3.1.1' });
