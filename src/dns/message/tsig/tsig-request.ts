import { timingSafeEqual } from 'node:crypto';
import type { Message } from '../message.js';
import { MessageError, refusedRequest } from '../message-error.js';
import { KeySigner, type MessageSigner, UnsignedSigner } from './message-signer.js';
import { Rcode } from '../rcode.js';
import { tsigVariables, unsignedParts } from './tsig-digest.js';
import { macLength, macOf, type TsigKey, type TsigKeys, type UnixClock } from './tsig-key.js';
import { type TsigRecord, writeTime } from './tsig-record.js';
import { WireWriter } from '../wire-writer.js';

/** RFC 8945 §5.2.2.1: no MAC may be cut to less, nor to less than half of it. */
const SHORTEST_MAC = 10;

/** What the signature of a request is worth, and what signs the answer. */
export type TsigVerdict =
  | { readonly isValid: true; readonly key: TsigKey; readonly signer: MessageSigner }
  /** The answer has the RCODE NOTAUTH; its signer states the error. */
  | { readonly isValid: false; readonly error: number; readonly signer: MessageSigner };

/**
 * Judges the signature of a request (RFC 8945 §5.2). Errors: BADKEY for a key that is not known by that name and algorithm,
 * BADSIG for a wrong MAC, both answered unsigned; BADTIME, with the time of the server, and BADTRUNC for a MAC that is not
 * whole, both answered signed.
 * @param octets the message as it was received, all of it
 * @returns null for a request that is not signed
 * @throws MessageError FORMERR for a MAC of a length that none can have
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
  if (!timingSafeEqual(mac.subarray(0, tsig.mac.length), tsig.mac)) {
    return refusal(Rcode.BADSIG, new UnsignedSigner(tsig, Rcode.BADSIG, clock));
  }
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

/** RFC 8945 §5.2.3: it repeats the time of the client, so that its clock finds the signature good. */
function badTime(key: TsigKey, clock: UnixClock, { mac, timeSigned }: TsigRecord, now: number): MessageSigner {
  const otherData = writeTime(new WireWriter(), now).finish();
  return new KeySigner(key, clock, mac, { timeSigned, error: Rcode.BADTIME, otherData });
}

function badTrunc(key: TsigKey, clock: UnixClock, { mac }: TsigRecord, now: number): MessageSigner {
  return new KeySigner(key, clock, mac, { timeSigned: now, error: Rcode.BADTRUNC, otherData: new Uint8Array() });
}
