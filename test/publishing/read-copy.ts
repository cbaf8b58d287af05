import { DomainName } from '../../src/dns/name.js';
import { MetaType, RecordClass, Opcode } from '../../src/dns/message/codes.js';
import { requestHeader } from '../../src/dns/message/header.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { writeMessage } from '../../src/dns/message/message-writer.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { TransferResponse } from '../../src/dns/message/transfer-response.js';
import type { Copy } from '../../src/publishing/transfers/zone-source.js';
import { canonicalRecords } from '../support/zone-records.js';

/** All records of a copy in the order of its messages, as a name server reads them. The copy is released. */
export async function recordsOf(copy: Copy, zone: string): Promise<ResourceRecord[]> {
  const name = DomainName.parse(zone);
  const header = requestHeader(1, Opcode.QUERY);
  const query = readMessage(
    writeMessage({ header, questions: [{ name, type: MetaType.AXFR, class: RecordClass.IN }] }),
  );
  const response = new TransferResponse(query, null);
  const records: ResourceRecord[] = [];
  for await (const section of copy.sections()) records.push(...readMessage(response.datagram(section)).answers);
  copy.release();
  return records;
}

/** The same without the SOA at the end, in the lines of `recordsOfFile`. */
export async function linesOf(copy: Copy, zone: string): Promise<string[]> {
  return linesOfRecords((await recordsOf(copy, zone)).slice(0, -1));
}

/** @returns lines as `recordsOfFile` has them */
export function linesOfRecords(records: readonly ResourceRecord[]): string[] {
  return canonicalRecords(records.map(({ owner, type, ttl, rdata }) => ({ owner, code: type, ttl, rdata })));
}
