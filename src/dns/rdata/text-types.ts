import { freeTextType } from './free-text.js';

/** IANA, Application Visibility and Control — the form of TXT. */
export const AVC = freeTextType(
  { name: 'AVC', code: 258, rfc: 'IANA AVC/avc-completed-template' },
  '"app-name:web|app-class:OAM"',
);

/** RFC 9606 §4 — the properties of a resolver, in the form of TXT; BIND refuses a zone with two at a name. */
export const RESINFO = freeTextType(
  { name: 'RESINFO', code: 261, rfc: 'RFC 9606 §4', placement: { isSingle: true } },
  '"qnamemin" "exterr=15-17" "infourl=https://resolver.example.org/"',
);

/** IANA, public wallet addresses — the form of TXT. */
export const WALLET = freeTextType(
  { name: 'WALLET', code: 262, rfc: 'IANA WALLET/wallet-completed-template' },
  '"BTC" "bc1qexample"',
);

/** IANA, convergence layer adapters of the Bundle Protocol — the form of TXT. */
export const CLA = freeTextType({ name: 'CLA', code: 263, rfc: 'IANA CLA/cla-completed-template' }, '"TCP-v4-v6"');

/** IANA, zone status — the form of TXT. */
export const NINFO = freeTextType({ name: 'NINFO', code: 56, rfc: 'IANA NINFO/ninfo-completed-template' }, '"status"');
