import { maySee } from '../../auth/policy.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { ServiceError } from '../../common/service-error.js';
import { SOA } from '../../dns/rdata/index.js';
import { MetaType, RecordClass, Opcode, Rcode } from '../../dns/message/codes.js';
import { MessageError, type ResourceRecord } from '../../dns/message/message.js';
import { clientSerial } from '../../dns/message/message-reader.js';
import type { TransferResponse } from '../../dns/message/transfer-response.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import type { Copy, PublishedZone, ZoneSource } from '../transfers/zone-source.js';
import type { Query } from './query-gate.js';
import type { UpdateHandler } from './update-handler.js';
import type { DomainName } from '../../dns/name.js';

/** A copy to send message by message. The receiver releases it. */
export interface Transfer {
  readonly copy: Copy;
  readonly response: TransferResponse;
}

/** Answers SOA, AXFR and IXFR queries (behaviour 12.1), and record queries of update clients (behaviour 20.7). */
export class QueryHandler {
  private readonly failure = new ThrottledLogger();

  constructor(
    private readonly zones: ZoneSource,
    private readonly notifies: NotifyHandler,
    private readonly updates: UpdateHandler,
  ) {}

  /** @param gone aborted when the client disconnects; then any answer will do */
  async answer(query: Query, gone: AbortSignal): Promise<Buffer | Transfer> {
    try {
      return await this.answerQuery(query, gone);
    } catch (error) {
      return query.reply.message(this.rcodeOf(error, gone));
    }
  }

  private async answerQuery(query: Query, gone: AbortSignal): Promise<Buffer | Transfer> {
    const { question, reply } = query;
    const { opcode } = query.request.header;
    if (opcode === Opcode.NOTIFY) return this.answerNotify(query);
    if (opcode === Opcode.UPDATE) return reply.verdict(await this.applyUpdate(query));
    if (question.class !== RecordClass.IN) return reply.message(Rcode.REFUSED);
    const isTransfer = question.type === MetaType.AXFR || question.type === MetaType.IXFR;
    // RFC 5936 §4.2: AXFR over UDP is not defined.
    if (question.type === MetaType.AXFR && query.client.transport === 'udp') return reply.message(Rcode.FORMERR);
    if (query.updateClient !== null && !(await this.updates.isGood(query.updateClient)))
      return reply.message(Rcode.REFUSED);
    const zone = await this.zones.find(question.name);
    const isReadable = zone !== null && mayRead(query, zone);
    if (isReadable && !isTransfer) {
      const answer = await this.zones.query(zone, question);
      if (answer !== null) return reply.answer(answer);
    }
    const mayTransfer = !query.isUntrusted || (isReadable && query.updateClient !== null);
    if (!mayTransfer) return reply.message(Rcode.REFUSED);
    // RFC 5936 §2.2.1: not a zone of this server.
    if (zone?.name.equals(question.name) !== true) return reply.message(isTransfer ? Rcode.NOTAUTH : Rcode.REFUSED);
    if (question.type === MetaType.AXFR) return { copy: await this.zones.axfr(zone, gone), response: reply.transfer() };
    if (question.type === MetaType.IXFR) return this.answerIxfr(query, zone, gone);
    // RFC 8482 §4.1: any one set answers ANY.
    const isForSoa = question.type === SOA.code || question.type === MetaType.ANY;
    return isForSoa ? soaAlone(query, zone) : reply.message(Rcode.REFUSED);
  }

  private async applyUpdate({ request, updateClient }: Query): Promise<number> {
    return updateClient === null ? Rcode.REFUSED : this.updates.handle(request, updateClient);
  }

  /** Primary zones take no NOTIFY. Untrusted clients do not learn whether a zone exists (behaviour 12.1). */
  private async answerNotify({ question, client, isUntrusted, reply }: Query): Promise<Buffer> {
    const isForSoa = question.type === SOA.code && question.class === RecordClass.IN;
    const isTaken = isForSoa && (await this.notifies.take(question.name, client.address));
    if (isTaken) return reply.message(Rcode.NOERROR);
    return reply.message(isUntrusted ? Rcode.REFUSED : Rcode.NOTIMP);
  }

  /** Answers with the difference, the whole zone, or the SOA alone (RFC 1995 §2, §4). */
  private async answerIxfr(query: Query, zone: PublishedZone, gone: AbortSignal): Promise<Buffer | Transfer> {
    const serial = clientSerial(query.request);
    if (!isLaterSerial(zone.serial, serial)) return soaAlone(query, zone);
    const difference = await this.zones.ixfr(zone, serial, gone);
    if (query.client.transport === 'tcp')
      return { copy: difference ?? (await this.zones.axfr(zone, gone)), response: query.reply.transfer() };
    return (difference && (await asDatagram(query, difference))) ?? soaAlone(query, zone);
  }

  private rcodeOf(error: unknown, gone: AbortSignal): number {
    if (error instanceof MessageError) return error.rcode;
    // The zone was deleted meanwhile.
    if (error instanceof ServiceError && error.code === 'zone_not_found') return Rcode.NOTAUTH;
    if (!gone.aborted) this.failure.warn(`Answered a name server with SERVFAIL: ${describe(error)}`);
    return Rcode.SERVFAIL;
  }
}

/** Whether the owner of the key sees the zone and the key covers it (behaviour 20.7). */
function mayRead({ isReader, updateClient }: Query, { name, tenantId }: PublishedZone): boolean {
  if (isReader) return true;
  return updateClient !== null && tenantId !== undefined && maySee(updateClient, { tenantId, nameKey: name.key });
}

function soaAlone({ reply }: Query, zone: PublishedZone): Buffer {
  return reply.message(Rcode.NOERROR, [soaOf(zone)]);
}

function soaOf({ name, ttl, soa }: PublishedZone): ResourceRecord {
  return { owner: name, type: SOA.code, class: RecordClass.IN, ttl, rdata: soa };
}

async function asDatagram({ reply }: Query, difference: Copy): Promise<Buffer | null> {
  try {
    let datagram: Buffer | null = null;
    for await (const section of difference.sections()) {
      if (datagram !== null) return null;
      datagram = reply.datagram(section);
      if (datagram === null) return null;
    }
    return datagram;
  } finally {
    difference.release();
  }
}

function describe(error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export abstract class NotifyHandler {
  /** Schedules a refresh if a primary of that zone has that address. Returns whether it does. */
  abstract take(zone: DomainName, address: string): Promise<boolean>;
}
