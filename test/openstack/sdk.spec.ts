import { describe, expect } from '@jest/globals';
import { runSdk, SDK } from '../support/openstack/client-programs.js';
import { COMMAND_LINE } from '../support/openstack/command-line.js';
import { together } from '../support/openstack/debian.js';
import { deskOf, type WayIn, WAYS_IN } from '../support/openstack/ways-in.js';
import { itWith } from '../support/run-program.js';

const PATIENCE = 120_000;

describe.each(WAYS_IN)('openstacksdk with auth_type $name', (wayIn: WayIn) => {
  const needs = together('openstacksdk', SDK, COMMAND_LINE, ...wayIn.programs);
  const desk = deskOf(wayIn, needs);

  itWith(needs)(
    '13.1 to 13.3 a program works with zones and record sets',
    async () => {
      expect(await runSdk(desk().directory, desk().login)).toEqual({
        'no such zone': true,
        'zone created': {
          name: 'sdk.example.org.',
          type: 'PRIMARY',
          email: 'hostmaster@example.org',
          ttl: 600,
          description: 'of a test',
          status: 'PENDING',
          action: 'CREATE',
        },
        'zone found by name': true,
        'zone updated': expect.objectContaining({ email: 'admin@example.org', status: 'PENDING', action: 'UPDATE' }),
        zones: ['sdk.example.org.'],
        'record sets on several pages': 25,
        'record set created': expect.objectContaining({
          type: 'TXT',
          records: ['"v=spf1 -all"', '"a \\" b"'],
          ttl: 60,
          status: 'ACTIVE',
        }),
        'record set updated': expect.objectContaining({ records: ['bare-token'], ttl: 30, status: 'PENDING' }),
        'record set found': true,
        'record set deleted': true,
        'no such wildcard': true,
        'beside a wildcard': true,
        'wildcard found': true,
        'wildcard deleted': true,
        left: [true],
        'cloud: zone': { name: 'cloud.example.org.', type: 'PRIMARY' },
        'cloud: record set': { records: ['192.0.2.1', '192.0.2.2'], ttl: 120, type: 'A' },
        'cloud: deleted': [true, true],
        'cloud: gone': true,
        'floating IPs': [],
        'zone deleted': true,
      });
    },
    PATIENCE,
  );
});
