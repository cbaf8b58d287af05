import type { DomainName } from '../../name.js';
import { FUDGE, priorMac, tsigTimers, tsigVariables, type Tsig, tsigOctets } from './tsig-record.js';
import { algorithmName, macLength, macOf, type TsigKey, type UnixClock } from './tsig-key.js';

/** Signs the messages of one exchange in order (RFC 8945 §5.3). */
export abstract class MessageSigner {
  /** Octets of the TSIG record. */
  abstract readonly size: number;

  sign(message: Uint8Array): Buffer {
    const signed = Buffer.alloc(message.length + this.size);
    signed.set(message);
    this.append(signed, message.length);
    return signed;
  }

  /** Appends TSIG to a message that ends at `end`. The buffer needs room for `size` octets. Increments the count. */
  append(buffer: Buffer, end: number): void {
    buffer.set(tsigOctets(this.tsigOf(buffer.subarray(0, end))), end);
    buffer.writeUInt16BE(buffer.readUInt16BE(10) + 1, 10);
  }

  protected abstract tsigOf(message: Buffer): Tsig;
}

type Statement = Pick<Tsig, 'timeSigned' | 'error' | 'otherData'>;

/** Signs the first message with all variables, the others with the timers only (RFC 8945 §5.3.1). */
export class KeySigner extends MessageSigner {
  readonly size: number;
  private readonly algorithm: DomainName;
  private isFirst = true;

  /** @param previousMac MAC of the request, for answers @param statement replaces the current time and NOERROR */
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

/** Reports an error without a key: the record has an empty MAC (RFC 8945 §5.3.2). */
export class UnsignedSigner extends MessageSigner {
  readonly size = tsigSize(this.request.keyName, this.request.algorithm, 0, 0);

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
/** Type, class, TTL and RDATA length; then time, fudge, MAC length, id, error and length of the other data. */
const FIXED_OCTETS = 10 + 6 + 2 + 2 + 2 + 2 + 2;

function tsigSize(keyName: DomainName, algorithm: DomainName, macOctets: number, otherOctets: number): number {
  return keyName.wire.length + algorithm.wire.length + FIXED_OCTETS + macOctets + otherOctets;
}

function noError(timeSigned: number): Statement {
  return { timeSigned, error: 0, otherData: NOTHING };
}
