import type { SpooledText, SpooledOctets } from '../../database/render-cache/spool.js';
import type { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/index.js';
import { isDataType } from '../../dns/rdata/type-names.js';
import { RecordClass } from '../../dns/message/codes.js';
import type { Message, ResourceRecord } from '../../dns/message/message.js';
import { readTransferMessage } from '../../dns/message/message-reader.js';
import { MessageFrames } from '../../dns/message/message-frames.js';
import { framed } from '../../dns/message/message-writer.js';

export interface Reception {
  readonly weight: Weight;
  readonly text: SpooledText;
  /** Takes the number of records so far, including ones outside the zone. An error aborts the transfer. */
  readonly admit: (records: number) => void;
}

/** A transferred zone, stored as message octets to save memory. */
export class ReceivedZone {
  constructor(
    readonly soa: ResourceRecord,
    private readonly zone: DomainName,
    private readonly messages: BufferedMessages,
  ) {}

  get octets(): number {
    return this.messages.octets;
  }

  /** Yields all records except the SOA, in the order of the primary, one message at a time. */
  async *portions(): AsyncGenerator<readonly ResourceRecord[]> {
    for await (const message of this.messages.read())
      yield readTransferMessage(message).answers.filter((record) => isContent(record, this.zone));
  }
}

/** Reads the messages of a transfer (RFC 5936 §2.2). */
export class TransferReader {
  private soa: ResourceRecord | null = null;
  private readonly messages: ReceivedMessages;
  private received = 0;

  constructor(
    private readonly label: string,
    private readonly zone: DomainName,
    private readonly reception: Reception,
  ) {
    this.messages = new ReceivedMessages(reception.text);
  }

  /** Returns the zone after the last message. */
  async take(octets: Buffer, { answers, authorities, additionals }: Message): Promise<ReceivedZone | null> {
    if (answers.length === 0) throw this.fault('has a message without records');
    this.received += answers.length + authorities.length + additionals.length;
    this.reception.admit(this.received - 1);
    const end = this.endIn(answers);
    if (answers.some((record) => isContent(record, this.zone))) {
      this.reception.weight.add(octets.length);
      await this.messages.add(octets);
    }
    return end && new ReceivedZone(end, this.zone, await this.messages.end());
  }

  /** Returns the SOA of the zone if this message ends the transfer. */
  private endIn(answers: readonly ResourceRecord[]): ResourceRecord | null {
    for (const [at, record] of answers.entries()) {
      const isSoa = isSoaOf(record, this.zone);
      if (this.soa === null) {
        if (!isSoa) throw this.fault('does not begin with the SOA of the zone');
        this.soa = record;
      } else if (isSoa) return this.end(this.soa, record, at === answers.length - 1);
      else if (record.class !== RecordClass.IN) throw this.fault(`has a record of class ${record.class}`);
    }
    return null;
  }

  private end(first: ResourceRecord, last: ResourceRecord, isAtEnd: boolean): ResourceRecord {
    if (SOA.values(first.rdata).serial !== SOA.values(last.rdata).serial)
      throw this.fault('begins and ends with different serials');
    if (!isAtEnd) throw this.fault('continues after its last SOA');
    return first;
  }

  private fault(what: string): TransferError {
    return new TransferError(`the transfer from ${this.label} ${what}`, true);
  }
}

export function isSoaOf({ owner, type, class: recordClass }: ResourceRecord, zone: DomainName): boolean {
  return type === SOA.code && recordClass === RecordClass.IN && owner.equals(zone);
}

/** Excludes records outside the zone and meta types. */
function isContent(record: ResourceRecord, zone: DomainName): boolean {
  return record.owner.isWithin(zone) && isDataType(record.type) && !isSoaOf(record, zone);
}

const PIECE = 65_536;

class ReceivedMessages {
  private waiting: Buffer[] = [];
  private waitingOctets = 0;

  /** @param text the caller discards it */
  constructor(private readonly text: SpooledText) {}

  /** @throws ServiceError `unavailable` without disk space */
  async add(message: Buffer): Promise<void> {
    // Copies the message, because a slice would retain its whole buffer.
    const frame = framed(message);
    this.waiting.push(frame);
    this.waitingOctets += frame.length;
    if (this.waitingOctets >= PIECE) await this.write();
  }

  /** Returns all messages. No more may be added. */
  async end(): Promise<BufferedMessages> {
    await this.write();
    return new BufferedMessages(this.text.kept());
  }

  private async write(): Promise<void> {
    if (this.waiting.length > 0) await this.text.add(Buffer.concat(this.waiting));
    this.waiting = [];
    this.waitingOctets = 0;
  }
}

class BufferedMessages {
  constructor(private readonly kept: SpooledOctets) {}

  get octets(): number {
    return this.kept.length;
  }

  async *read(): AsyncGenerator<Buffer> {
    const frames = new MessageFrames();
    for (let from = 0; from < this.kept.length; from += PIECE) {
      frames.add(await this.kept.read(from, Math.min(from + PIECE, this.kept.length)));
      for (let message = frames.next(); message !== null; message = frames.next()) yield message;
    }
  }
}

const MIB = 2 ** 20;
/** Disk limits for transfers in progress, per tenant and per process. */
const OF_TENANT = 128 * MIB;
const IN_ALL = 256 * MIB;

export interface Weight {
  /** @throws TransferError if the limit is exceeded */
  add(octets: number): void;
  release(): void;
}

/** Limits the disk usage of transfers, so that one tenant leaves room for others. */
export class ReceivedOctets {
  private readonly ofTenants = new Map<string, number>();
  private inAll = 0;

  constructor(private readonly ofZone: number) {}

  begin(tenantId: string): Weight {
    let own = 0;
    return {
      add: (octets) => {
        if (own + octets > this.ofZone)
          throw new TransferError(`the zone has more than ${this.ofZone} octets`, true, 'too_large');
        this.assertRoom(tenantId, octets);
        own += octets;
        this.change(tenantId, octets);
      },
      release: () => {
        this.change(tenantId, -own);
        own = 0;
      },
    };
  }

  /** One zone of maximum size always fits. */
  private assertRoom(tenantId: string, octets: number): void {
    const isOfTenant = (this.ofTenants.get(tenantId) ?? 0) + octets > Math.max(OF_TENANT, this.ofZone);
    if (isOfTenant || this.inAll + octets > Math.max(IN_ALL, 2 * this.ofZone))
      throw new TransferError('too many large transfers in progress; this zone will be retried', false, 'too_large');
  }

  private change(tenantId: string, by: number): void {
    const octets = (this.ofTenants.get(tenantId) ?? 0) + by;
    if (octets > 0) this.ofTenants.set(tenantId, octets);
    else this.ofTenants.delete(tenantId);
    this.inAll += by;
  }
}

/** Why a transfer failed, for programs. */
export type TransferFailure =
  'unreachable' | 'no_answer' | 'refused' | 'not_authoritative' | 'bad_signature' | 'too_large' | 'invalid_answer';

export class TransferError extends Error {
  override readonly name = 'TransferError';

  /** @param isRefusal whether a retry alone cannot succeed: the primary refuses, or the zone is invalid */
  constructor(
    message: string,
    readonly isRefusal: boolean,
    readonly failure: TransferFailure = 'invalid_answer',
  ) {
    super(message);
  }
}
