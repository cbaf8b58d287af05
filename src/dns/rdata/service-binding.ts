import { domainName, uint16 } from './fields.js';
import { RdataError, recordType, type RecordType } from './record-type.js';
import { svcParams } from './svc-params.js';

/** SVCB and HTTPS: where a service is found and how to speak to it. Their priority belongs to the data. */
export function serviceBindingType(about: Pick<RecordType, 'name' | 'code' | 'rfc'>, owner: string): RecordType {
  return recordType({
    ...about,
    fields: [uint16('priority'), domainName('target'), svcParams],
    check([priority, , params]) {
      if (priority === 0 && params.length > 0) {
        throw new RdataError(
          'priority 0 makes an alias, whose parameters clients ignore: leave them out, or give another priority',
        );
      }
    },
    example: { name: owner, data: '1 svc.example.org. alpn="h2,h3" port="8443"' },
  });
}
