import { timingSafeEqual } from 'node:crypto';
import type { Message } from '../message.js';
import { KeySigner } from './message-signer.js';
import { Rcode, rcodeName } from '../codes.js';
import { priorMac, tsigTimers, tsigVariables, unsignedParts, readTime, type TsigRecord } from './tsig-record.js';
import { algorithmName, type RunningMac, startMac, type TsigKey, type UnixClock } from './tsig-key.js';
import { WireReader } from '../wire.js';

/** Invalid signature of an answer, or a TSIG error about the request. */
export class TsigError extends Error {
  override readonly name = 'TsigError';

  constructor(
    readonly code: number,
    message: string,
    /** Server time after BADTIME, in seconds since 1970. */
    readonly serverTime: number | null = null,
  ) {
    super(message);
  }
}

/** Consecutive messages of a transfer without a signature (RFC 8945 §5.3.1). */
const MOST_UNSIGNED = 99;

/** Signs a request and verifies its answers (RFC 8945 §5.3, §5.4). */
export class TsigClient {
  private readonly signer: KeySigner;
  private lastMac: Uint8Array = new Uint8Array();
  private isFirst = true;
  /** Covers the unsigned messages since the last signature. */
  private running: RunningMac | null = null;
  private unsigned = 0;

  constructor(
    private readonly key: TsigKey,
    private readonly clock: UnixClock,
  ) {
    this.signer = new KeySigner(key, clock, null);
  }

  sign(request: Uint8Array): Buffer {
    const signed = this.signer.sign(request);
    this.lastMac = this.signer.lastMac;
    return signed;
  }

  get hasVerifiedAll(): boolean {
    return this.unsigned === 0;
  }

  /** Like `verify`, but a later signature may cover this message of a transfer, unless it is the first. */
  verifyNext(octets: Uint8Array, message: Message): void {
    if (message.tsig !== null || this.isFirst || this.unsigned >= MOST_UNSIGNED) return this.verify(octets, message);
    (this.running ??= this.beginMac()).update(octets);
    this.unsigned += 1;
  }

  /** @param octets the whole message @throws TsigError */
  verify(octets: Uint8Array, { tsig }: Message): void {
    if (tsig === null) throw new TsigError(Rcode.BADSIG, 'the answer is not signed');
    this.assertKey(tsig);
    if (tsig.mac.length === 0 && tsig.error !== 0) throw errorOf(tsig);
    this.assertMac(octets, tsig);
    if (Math.abs(this.clock() - tsig.timeSigned) > tsig.fudge)
      throw new TsigError(Rcode.BADTIME, 'the answer was signed at another time');
    if (tsig.error !== 0) throw errorOf(tsig);
    this.lastMac = tsig.mac;
    this.isFirst = false;
    this.running = null;
    this.unsigned = 0;
  }

  private assertKey({ keyName, algorithm }: TsigRecord): void {
    if (keyName.equals(this.key.name) && algorithm.equals(algorithmName(this.key.algorithm))) return;
    throw new TsigError(Rcode.BADKEY, 'the answer is signed with another key');
  }

  private beginMac(): RunningMac {
    return startMac(this.key).update(priorMac(this.lastMac));
  }

  private assertMac(octets: Uint8Array, tsig: TsigRecord): void {
    const variables = this.isFirst ? tsigVariables(tsig) : tsigTimers(tsig);
    const hmac = this.running ?? this.beginMac();
    for (const part of [...unsignedParts(octets, tsig), variables]) hmac.update(part);
    const mac = hmac.digest();
    if (mac.length === tsig.mac.length && timingSafeEqual(mac, tsig.mac)) return;
    throw new TsigError(Rcode.BADSIG, 'the signature of the answer is wrong');
  }
}

function errorOf({ error, otherData }: TsigRecord): TsigError {
  const serverTime = error === Rcode.BADTIME && otherData.length === 6 ? readTime(new WireReader(otherData)) : null;
  return new TsigError(error, `the server answers ${rcodeName(error)}`, serverTime);
}
