import { certificateAssociationType } from './certificate-association.js';

/** RFC 8162 §2 — the certificate of a mail address, whose local part is hashed into the owner name. */
export const SMIMEA = certificateAssociationType(
  { name: 'SMIMEA', code: 53, rfc: 'RFC 8162 §2' },
  'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._smimecert.example.org.',
);
