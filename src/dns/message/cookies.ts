import { timingSafeEqual } from 'node:crypto';
import { sipHash } from './siphash.js';

const CLIENT_OCTETS = 8;
/** RFC 7873 §4: what the option may have beside the cookie of the client. */
const SERVER_OCTETS = { least: 8, most: 32 };
/** RFC 9018 §4: version, three octets that are reserved, a time, and a hash. */
const OUR_OCTETS = 16;
const VERSION = 1;
/** RFC 9018 §4.3, in seconds. */
const LIFETIME = 3600;
const CLOCK_DIFFERENCE = 300;

/** Whether the data of a COOKIE option has a length that it can have (RFC 7873 §5.2.2). */
export function isCookie({ length }: Uint8Array): boolean {
  const server = length - CLIENT_OCTETS;
  return server === 0 || (server >= SERVER_OCTETS.least && server <= SERVER_OCTETS.most);
}

/** What the cookie of a request is worth. */
export interface CookieVerdict {
  /** Whether the server has given it to this address lately, so that the address is not forged. */
  readonly isValid: boolean;
  /** The data of the COOKIE option in the answer. */
  readonly answer: Uint8Array;
}

/**
 * DNS cookies (RFC 7873) in the form that servers of all makes share (RFC 9018), so that any process with the same secret
 * takes the cookies of another. The server keeps nothing.
 */
export class ServerCookies {
  /**
   * @param secret 16 octets
   * @param previousSecret still taken for a while after a change of secrets (RFC 9018 §5)
   */
  constructor(
    private readonly secret: Uint8Array,
    private readonly previousSecret: Uint8Array | null = null,
  ) {}

  /**
   * @param option the data of the COOKIE option, as `readRequest()` lets it pass
   * @param address of the client, 4 or 16 octets
   * @param now in seconds since 1970
   */
  judge(option: Uint8Array, address: Uint8Array, now: number): CookieVerdict {
    const client = option.subarray(0, CLIENT_OCTETS);
    const start = Buffer.from([...client, VERSION, 0, 0, 0, 0, 0, 0, 0]);
    start.writeUInt32BE(now >>> 0, CLIENT_OCTETS + 4);
    const answer = Buffer.concat([start, hashOf(start, address, this.secret)]);
    return { isValid: this.isOurs(option, address, now), answer };
  }

  private isOurs(option: Uint8Array, address: Uint8Array, now: number): boolean {
    if (option.length !== CLIENT_OCTETS + OUR_OCTETS || option[CLIENT_OCTETS] !== VERSION) return false;
    const start = Buffer.from(option.subarray(0, CLIENT_OCTETS + 8));
    // Times of 32 bits are compared as serial numbers are (RFC 9018 §4.3).
    const age = (now - start.readUInt32BE(CLIENT_OCTETS + 4)) | 0;
    if (age > LIFETIME || age < -CLOCK_DIFFERENCE) return false;
    const hash = option.subarray(CLIENT_OCTETS + 8);
    return [this.secret, this.previousSecret].some(
      (secret) => secret !== null && timingSafeEqual(hashOf(start, address, secret), hash),
    );
  }
}

/** @param start the cookie of the client, version, reserved octets and time (RFC 9018 §4.4) */
function hashOf(start: Uint8Array, address: Uint8Array, secret: Uint8Array): Buffer {
  return sipHash(secret, Buffer.concat([start, address]));
}
