import { timingSafeEqual } from 'node:crypto';
import type { Message } from '../message.js';
import { KeySigner } from './message-signer.js';
import { Rcode, rcodeName } from '../rcode.js';
import { priorMac, tsigTimers, tsigVariables, unsignedParts } from './tsig-digest.js';
import { algorithmName, macOf, type TsigKey, type UnixClock } from './tsig-key.js';
import { readTime, type TsigRecord } from './tsig-record.js';
import { WireReader } from '../wire-reader.js';

/** An answer that is not signed as it should be, or in which the server says that about the request. */
export class TsigError extends Error {
  override readonly name = 'TsigError';

  constructor(
    /** A TSIG error such as `Rcode.BADSIG`. */
    readonly code: number,
    message: string,
    /** With BADTIME from the server its time, in seconds since 1970. */
    readonly serverTime: number | null = null,
  ) {
    super(message);
  }
}

/** Signs one request and verifies the messages that answer it, each of which must be signed (RFC 8945 §5.3, §5.4). */
export class TsigClient {
  private readonly signer: KeySigner;
  private lastMac: Uint8Array = new Uint8Array();
  private isFirst = true;

  constructor(
    private readonly key: TsigKey,
    private readonly clock: UnixClock,
  ) {
    this.signer = new KeySigner(key, clock, null);
  }

  /** The request with its signature. */
  sign(request: Uint8Array): Buffer {
    const signed = this.signer.sign(request);
    this.lastMac = this.signer.lastMac;
    return signed;
  }

  /**
   * Verifies the next message of the answer.
   * @param octets the whole message as it was received
   * @throws TsigError
   */
  verify(octets: Uint8Array, { tsig }: Message): void {
    if (tsig === null) throw new TsigError(Rcode.BADSIG, 'the answer is not signed');
    this.assertKey(tsig);
    if (tsig.mac.length === 0 && tsig.error !== 0) throw errorOf(tsig);
    this.assertMac(octets, tsig);
    if (Math.abs(this.clock() - tsig.timeSigned) > tsig.fudge) {
      throw new TsigError(Rcode.BADTIME, 'the answer was signed at another time');
    }
    if (tsig.error !== 0) throw errorOf(tsig);
    this.lastMac = tsig.mac;
    this.isFirst = false;
  }

  private assertKey({ keyName, algorithm }: TsigRecord): void {
    if (keyName.equals(this.key.name) && algorithm.equals(algorithmName(this.key.algorithm))) return;
    throw new TsigError(Rcode.BADKEY, 'the answer is signed with another key');
  }

  private assertMac(octets: Uint8Array, tsig: TsigRecord): void {
    const variables = this.isFirst ? tsigVariables(tsig) : tsigTimers(tsig);
    const mac = macOf(this.key, [priorMac(this.lastMac), ...unsignedParts(octets, tsig), variables]);
    if (mac.length === tsig.mac.length && timingSafeEqual(mac, tsig.mac)) return;
    throw new TsigError(Rcode.BADSIG, 'the signature of the answer is wrong');
  }
}

function errorOf({ error, otherData }: TsigRecord): TsigError {
  const serverTime = error === Rcode.BADTIME && otherData.length === 6 ? readTime(new WireReader(otherData)) : null;
  return new TsigError(error, `the server answers ${rcodeName(error)}`, serverTime);
}
