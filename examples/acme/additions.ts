import type { IncomingHttpHeaders } from 'node:http';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import {
  type Additions,
  AdminOnly,
  Authenticator,
  type Field,
  fields,
  type Identity,
  RdataError,
  type RecordGrowth,
  RecordLimits,
  recordType,
  ServiceError,
} from '../../src/index.js';

/** What a fictional team adds to Zonewright through its doors: one of each kind, all of it used by a test. */

/** A place in a rack: `U` and a number from 1 to 60, in one octet. */
const rackUnit: Field<number> = {
  form: 'U and a number from 1 to 60',
  parse: (tokens, label) => readUnit(tokens.unquoted(label)),
  print: (unit) => `U${unit}`,
  read: (wire) => wire.uint8(),
  write: (unit, out) => out.uint8(unit),
  check(unit, label) {
    if (unit < 1 || unit > 60) throw new RdataError(`the ${label} U${unit} is in no rack: they have U1 to U60`);
  },
};

/** Where a machine stands. The code is one of those for private use (RFC 6895 §3.1). */
const RACK = recordType({
  name: 'RACK',
  code: 65300,
  rfc: 'RFC 6895 §3.1',
  fields: { rack: fields.characterString, unit: rackUnit },
  placement: { isSingle: true, notAtApex: 'only machines stand in racks' },
  example: { name: 'host.example.org.', data: '"room 7" U12' },
});

function readUnit(text: string): number {
  const digits = /^U([1-9][0-9]?)$/.exec(text)?.[1];
  if (digits === undefined) throw new RdataError(`the unit ${JSON.stringify(text)} is not written like U12`);
  return Number(digits);
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
  types: [RACK],
  limits: { records: { provide: RecordLimits, useClass: ThreeRecords } },
  authenticator: { provide: Authenticator, useClass: ProxyAuthenticator },
  adminExtensions: { reports: ReportsModule },
};
