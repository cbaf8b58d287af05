import { timingSafeEqual } from 'node:crypto';
import { type Message, MessageError, refusedRequest } from '../message.js';
import { KeySigner, type MessageSigner, UnsignedSigner } from './message-signer.js';
import { Rcode } from '../codes.js';
import { tsigVariables, unsignedParts, type TsigRecord, writeTime } from './tsig-record.js';
import { macLength, macOf, type TsigKey, type TsigKeys, type UnixClock } from './tsig-key.js';
import { WireWriter } from '../wire.js';

/** Octets of a truncated MAC, which must also be half of the MAC (RFC 8945 §5.2.2.1). */
const SHORTEST_MAC = 10;

export type TsigVerdict =
  | { readonly isValid: true; readonly key: TsigKey; readonly signer: MessageSigner }
  /** The answer has RCODE NOTAUTH. Its signer adds the error. */
  | { readonly isValid: false; readonly error: number; readonly signer: MessageSigner };

/**
 * RFC 8945 §5.2. Unsigned answers: BADKEY for an unknown key or algorithm, BADSIG. Signed answers: BADTIME with the
 * server time, BADTRUNC. @returns null if unsigned @throws MessageError FORMERR for an impossible MAC length
 */
export function verifyRequest(
  octets: Uint8Array,
  request: Message,
  keys: Pick<TsigKeys, 'find'>,
  clock: UnixClock,
): TsigVerdict | null {
  const { tsig } = request;
  if (tsig === null) return null;
  const key = keys.find(tsig.keyName, tsig.algorithm);
  if (key === undefined) return refusal(Rcode.BADKEY, new UnsignedSigner(tsig, Rcode.BADKEY, clock));
  if (!isPossibleMac(tsig, key)) throw macLengthError(request, tsig, key);
  return verdictOf(octets, tsig, key, clock);
}

function verdictOf(octets: Uint8Array, tsig: TsigRecord, key: TsigKey, clock: UnixClock): TsigVerdict {
  const mac = macOf(key, [...unsignedParts(octets, tsig), tsigVariables(tsig)]);
  if (!timingSafeEqual(mac.subarray(0, tsig.mac.length), tsig.mac))
    return refusal(Rcode.BADSIG, new UnsignedSigner(tsig, Rcode.BADSIG, clock));
  const now = clock();
  if (Math.abs(now - tsig.timeSigned) > tsig.fudge) return refusal(Rcode.BADTIME, badTime(key, clock, tsig, now));
  if (tsig.mac.length < mac.length) return refusal(Rcode.BADTRUNC, badTrunc(key, clock, tsig, now));
  return { isValid: true, key, signer: new KeySigner(key, clock, tsig.mac) };
}

function refusal(error: number, signer: MessageSigner): TsigVerdict {
  return { isValid: false, error, signer };
}

function isPossibleMac({ mac }: TsigRecord, { algorithm }: TsigKey): boolean {
  const whole = macLength(algorithm);
  return mac.length <= whole && mac.length >= Math.max(SHORTEST_MAC, whole / 2);
}

function macLengthError(request: Message, { mac }: TsigRecord, { algorithm }: TsigKey): MessageError {
  const text = `a MAC of ${algorithm} cannot have ${mac.length} octets`;
  return new MessageError(Rcode.FORMERR, text, refusedRequest(request));
}

/** RFC 8945 §5.2.3: repeats the time of the client, so that the client accepts the signature. */
function badTime(key: TsigKey, clock: UnixClock, { mac, timeSigned }: TsigRecord, now: number): MessageSigner {
  const otherData = writeTime(new WireWriter(), now).finish();
  return new KeySigner(key, clock, mac, { timeSigned, error: Rcode.BADTIME, otherData });
}

function badTrunc(key: TsigKey, clock: UnixClock, { mac }: TsigRecord, now: number): MessageSigner {
  return new KeySigner(key, clock, mac, { timeSigned: now, error: Rcode.BADTRUNC, otherData: new Uint8Array() });
}
