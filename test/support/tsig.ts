import { DomainName } from '../../src/dns/name.js';
import { KeySigner } from '../../src/dns/message/tsig/message-signer.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { AXFR_QUERY } from './messages.js';

/** A moment in 2026, in seconds since 1970. */
export const NOW = 1_795_000_000;

export const KEY: TsigKey = {
  name: DomainName.parse('transfer.example.org.'),
  algorithm: 'hmac-sha256',
  secret: Buffer.alloc(32, 'secret'),
};

/** A query for AXFR that is signed with the key, now or when the clock says. */
export function signedQuery(key = KEY, clock = () => NOW): Buffer {
  return new KeySigner(key, clock, null).sign(AXFR_QUERY);
}
