import type { IncomingHttpHeaders } from 'node:http';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import {
  type Additions,
  AdminOnly,
  Authenticator,
  type Identity,
  RdataError,
  type RecordGrowth,
  RecordLimits,
  recordType,
  ServiceError,
} from '../../src/index.js';

/** What a fictional team adds to Zonewright through its doors: one of each kind, all of it used by a test. */

/** RFC 7043 §3: the address of a network card. */
const EUI48 = recordType({
  name: 'EUI48',
  code: 108,
  rfc: 'RFC 7043 §3',
  fields: {
    address: {
      form: 'address of a network card',
      parse: (tokens, label) => readEui48(tokens.unquoted(label)),
      print: (octets: Uint8Array) =>
        Buffer.from(octets)
          .toString('hex')
          .replace(/..(?=.)/g, '$&-'),
      read: (wire) => wire.octets(6),
      write: (octets: Uint8Array, out) => void out.octets(octets),
    },
  },
  example: { name: 'host.example.org.', data: '00-00-5e-00-53-2a' },
});

function readEui48(text: string): Uint8Array {
  if (/^[0-9a-f]{2}(-[0-9a-f]{2}){5}$/i.test(text)) return Buffer.from(text.replaceAll('-', ''), 'hex');
  throw new RdataError(`the address ${JSON.stringify(text)} is not six octets in hexadecimal, joined by "-"`);
}

/** Nobody has more than three records in a domain. */
@Injectable()
class ThreeRecords extends RecordLimits {
  override assertGrowthAllowed(_: unknown, { zoneRecords }: RecordGrowth): Promise<void> {
    if (zoneRecords === null || zoneRecords <= 3) return Promise.resolve();
    return Promise.reject(new ServiceError('over_quota', `A domain holds 3 records, not ${zoneRecords}.`));
  }
}

/** Believes a proxy on the same machine that has checked a client certificate. */
@Injectable()
class ProxyAuthenticator extends Authenticator {
  override identify({ 'x-client-name': name }: IncomingHttpHeaders): Promise<Identity | null> {
    if (typeof name !== 'string') return Promise.resolve(null);
    return Promise.resolve({ tenantId: name, roles: [name === 'operator' ? 'admin' : 'member'] });
  }
}

@AdminOnly()
@Controller('admin/reports')
class ReportsController {
  @Get()
  list(): { reports: string[] } {
    return { reports: [] };
  }
}

@Module({ controllers: [ReportsController] })
class ReportsModule {}

export const ACME: Additions = {
  types: [EUI48],
  limits: { records: { provide: RecordLimits, useClass: ThreeRecords } },
  authenticator: { provide: Authenticator, useClass: ProxyAuthenticator },
  adminExtensions: { reports: ReportsModule },
};
