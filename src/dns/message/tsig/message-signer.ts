import type { DomainName } from '../../name.js';
import { FUDGE, priorMac, tsigTimers, tsigVariables } from './tsig-digest.js';
import { algorithmName, macLength, macOf, type TsigKey, type UnixClock } from './tsig-key.js';
import { type Tsig, tsigOctets } from './tsig-record.js';

/** Writes the TSIG records of messages of one exchange, in the order in which they are sent (RFC 8945 §5.3). */
export abstract class MessageSigner {
  /** How many octets the record takes. */
  abstract readonly size: number;

  /** A copy of the message with a TSIG record behind it. */
  sign(message: Uint8Array): Buffer {
    const signed = Buffer.alloc(message.length + this.size);
    signed.set(message);
    this.append(signed, message.length);
    return signed;
  }

  /**
   * Appends the record to the message that stands from the beginning of the buffer up to `end`, and counts it in the
   * header. The buffer has room for `size` octets more.
   */
  append(buffer: Buffer, end: number): void {
    buffer.set(tsigOctets(this.tsigOf(buffer.subarray(0, end))), end);
    buffer.writeUInt16BE(buffer.readUInt16BE(10) + 1, 10);
  }

  protected abstract tsigOf(message: Buffer): Tsig;
}

/** What a signature says beside the MAC. */
type Statement = Pick<Tsig, 'timeSigned' | 'error' | 'otherData'>;

/** Signs with a key: the first message with all variables, the others with the timers alone (RFC 8945 §5.3.1). */
export class KeySigner extends MessageSigner {
  readonly size: number;
  private readonly algorithm: DomainName;
  private isFirst = true;

  /**
   * @param previousMac that of the request, where an answer is signed
   * @param statement what to say instead of the present time and no error
   */
  constructor(
    private readonly key: TsigKey,
    private readonly clock: UnixClock,
    private previousMac: Uint8Array | null,
    private readonly statement: Statement | null = null,
  ) {
    super();
    this.algorithm = algorithmName(key.algorithm);
    const otherLength = statement?.otherData.length ?? 0;
    this.size = tsigSize(key.name, this.algorithm, macLength(key.algorithm), otherLength);
  }

  /** The MAC of the last message that was signed. */
  get lastMac(): Uint8Array {
    return this.previousMac ?? NOTHING;
  }

  protected override tsigOf(message: Buffer): Tsig {
    const { timeSigned, error, otherData } = this.statement ?? noError(this.clock());
    const variables = { keyName: this.key.name, algorithm: this.algorithm, timeSigned, fudge: FUDGE, error, otherData };
    const before = this.previousMac === null ? NOTHING : priorMac(this.previousMac);
    const mac = macOf(this.key, [before, message, this.isFirst ? tsigVariables(variables) : tsigTimers(variables)]);
    this.previousMac = mac;
    this.isFirst = false;
    return { ...variables, mac, originalId: message.readUInt16BE(0) };
  }
}

/** States an error where there is no key to sign with: its record has an empty MAC (RFC 8945 §5.3.2). */
export class UnsignedSigner extends MessageSigner {
  readonly size = tsigSize(this.request.keyName, this.request.algorithm, 0, 0);

  /** @param request the signature that was refused */
  constructor(
    private readonly request: Tsig,
    private readonly error: number,
    private readonly clock: UnixClock,
  ) {
    super();
  }

  protected override tsigOf(message: Buffer): Tsig {
    const { keyName, algorithm } = this.request;
    const statement = { ...noError(this.clock()), error: this.error };
    return { keyName, algorithm, fudge: FUDGE, mac: NOTHING, originalId: message.readUInt16BE(0), ...statement };
  }
}

const NOTHING = new Uint8Array();
/** Type, class, TTL and length of a record; then time, fudge, length of the MAC, id, error and length of the other data. */
const FIXED_OCTETS = 10 + 6 + 2 + 2 + 2 + 2 + 2;

function tsigSize(keyName: DomainName, algorithm: DomainName, macOctets: number, otherOctets: number): number {
  return keyName.wire.length + algorithm.wire.length + FIXED_OCTETS + macOctets + otherOctets;
}

function noError(timeSigned: number): Statement {
  return { timeSigned, error: 0, otherData: NOTHING };
}
