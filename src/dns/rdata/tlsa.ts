import { certificateAssociationType } from './certificate-association.js';

/** RFC 6698 §2.1 — the certificate of a TLS server. */
export const TLSA = certificateAssociationType(
  { name: 'TLSA', code: 52, rfc: 'RFC 6698 §2.1' },
  '_443._tcp.www.example.org.',
);
