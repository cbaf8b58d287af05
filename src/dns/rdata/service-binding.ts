import type { DomainName } from '../name.js';
import { domainName, uint16 } from './fields.js';
import { recordType, type RecordType } from './record-type.js';
import { type SvcParam, svcParams } from './svc-params.js';

/** The values of SVCB and HTTPS. */
export interface ServiceBinding {
  readonly priority: number;
  readonly target: DomainName;
  readonly parameters: readonly SvcParam[];
}

/**
 * Makes SVCB and HTTPS, which say where a service is and how to speak to it. API data has their priority inside `data`. Clients
 * ignore the parameters of an alias (RFC 9460 §2.4.2), and name servers load them.
 */
export function serviceBindingType(
  about: Pick<RecordType, 'name' | 'code' | 'rfc'>,
  owner: string,
): RecordType<ServiceBinding> {
  return recordType({
    ...about,
    fields: { priority: uint16, target: domainName, parameters: svcParams },
    example: { name: owner, data: '1 svc.example.org. alpn="h2,h3" port="8443"' },
  });
}
