import { characterString, characterStrings } from './fields.js';
import { plainType, recordType, type RecordType } from './record-type.js';
import { tokenizeFreeText } from './tokens.js';

export const TXT = freeTextType({ name: 'TXT', code: 16, rfc: 'RFC 1035 §3.3.14' });

/** RFC 7208 §3.1 moved mail policies to TXT, but zones still have SPF records. */
export const SPF = freeTextType({ name: 'SPF', code: 99, rfc: 'RFC 4408 §3.1.1' });

/** Application Visibility and Control. */
export const AVC = freeTextType(
  { name: 'AVC', code: 258, rfc: 'IANA AVC/avc-completed-template' },
  '"app-name:web|app-class:OAM"',
);

/** Properties of a resolver. BIND refuses a zone with two at a name. */
export const RESINFO = freeTextType(
  { name: 'RESINFO', code: 261, rfc: 'RFC 9606 §4', placement: { isSingle: true } },
  '"qnamemin" "exterr=15-17" "infourl=https://resolver.example.org/"',
);

export const WALLET = freeTextType(
  { name: 'WALLET', code: 262, rfc: 'IANA WALLET/wallet-completed-template' },
  '"BTC" "bc1qexample"',
);

/** Convergence layer adapters of the Bundle Protocol. */
export const CLA = freeTextType({ name: 'CLA', code: 263, rfc: 'IANA CLA/cla-completed-template' }, '"TCP-v4-v6"');

/** Zone status. */
export const NINFO = freeTextType({ name: 'NINFO', code: 56, rfc: 'IANA NINFO/ninfo-completed-template' }, '"status"');

/** Machine and operating system of a host. RFC 8482 §4.2 answers ANY queries with it. */
export const HINFO = plainType('HINFO', 13, 'RFC 1035 §3.3.2', 'host.example.org. "RFC8482" ""', {
  machine: characterString,
  operatingSystem: characterString,
});

/** Character strings, which API data may have as one plain text (behaviour 5.3). */
function freeTextType(
  about: Pick<RecordType, 'name' | 'code' | 'rfc'> & { readonly placement?: { readonly isSingle: true } },
  example = '"v=spf1 mx -all"',
): RecordType<{ readonly text: readonly Uint8Array[] }> {
  return recordType({
    ...about,
    fields: { text: characterStrings },
    tokenize: tokenizeFreeText,
    example: { name: 'example.org.', data: example },
  });
}
