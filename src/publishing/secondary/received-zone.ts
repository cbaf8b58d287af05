import type { SpooledText } from '../../database/render-cache/spool.js';
import type { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/index.js';
import { isDataType } from '../../dns/rdata/type-names.js';
import { RecordClass } from '../../dns/message/codes.js';
import type { Message } from '../../dns/message/message.js';
import { readTransferMessage } from '../../dns/message/message-reader.js';
import type { ResourceRecord } from '../../dns/message/resource-record.js';
import { type BufferedMessages, ReceivedMessages } from './received-messages.js';
import type { Weight } from './received-octets.js';
import { TransferError } from './transfer-error.js';

/** How much may come, and where it waits until it is stored. */
export interface Reception {
  readonly weight: Weight;
  readonly text: SpooledText;
  /** Is told how many records have come so far, in the zone and around it; what it throws ends the transfer. */
  readonly admit: (records: number) => void;
}

/** A zone as a master has sent it. It is kept in the octets of its messages, which take less memory than what they say. */
export class ReceivedZone {
  constructor(
    readonly soa: ResourceRecord,
    private readonly zone: DomainName,
    private readonly messages: BufferedMessages,
  ) {}

  /** Of what is kept. */
  get octets(): number {
    return this.messages.octets;
  }

  /** All of the zone but its SOA, in the master's order, message by message. */
  async *portions(): AsyncGenerator<readonly ResourceRecord[]> {
    for await (const message of this.messages.read())
      yield readTransferMessage(message).answers.filter((record) => isContent(record, this.zone));
  }
}

/** The records of a transfer, one message after the other (RFC 5936 §2.2). */
export class TransferReader {
  private soa: ResourceRecord | null = null;
  private readonly messages: ReceivedMessages;
  private received = 0;

  /** @param label of the master */
  constructor(
    private readonly label: string,
    private readonly zone: DomainName,
    private readonly reception: Reception,
  ) {
    this.messages = new ReceivedMessages(reception.text);
  }

  /** Returns the zone once its end has come. */
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

  /** The SOA of the zone where its end is in the message. */
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

/** A server may send what lies around the zone, and types that stand in no zone. */
function isContent(record: ResourceRecord, zone: DomainName): boolean {
  return record.owner.isWithin(zone) && isDataType(record.type) && !isSoaOf(record, zone);
}
