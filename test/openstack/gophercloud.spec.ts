import { describe, expect } from '@jest/globals';
import { compileGophercloud, GOPHERCLOUD, runGophercloud } from '../support/openstack/client-programs.js';
import { together } from '../support/openstack/debian.js';
import { KEYSTONE } from '../support/openstack/keystone.js';
import { deskOf, WITH_KEYSTONE } from '../support/openstack/ways-in.js';
import { itWith } from '../support/run-program.js';

const PATIENCE = 300_000;
const NEEDS = together('gophercloud', GOPHERCLOUD, KEYSTONE);

describe('gophercloud, as Terraform, external-dns and lego use it', () => {
  const desk = deskOf(WITH_KEYSTONE, NEEDS);

  itWith(NEEDS)(
    '13.1 to 13.3 a program works with zones and record sets (attack case 115)',
    async () => {
      const { directory, login } = desk();
      const program = await compileGophercloud(directory);
      // It reads no other name for the user's domain.
      const seen = await runGophercloud(program, directory, { ...login, OS_DOMAIN_NAME: login.OS_USER_DOMAIN_NAME! });
      expect(seen).toEqual({
        'zone created': { status: 'PENDING', ttl: 600, 'has its time': true },
        'zone updated': { ttl: 1200, description: '', action: 'UPDATE' },
        'record sets on several pages': 25,
        'record set created': { records: 2, ttl: 60, status: 'PENDING' },
        'record set updated': { records: ['30 c.example.org.'], ttl: 0 },
        'record set deleted': true,
        challenge: { zones: 1, sets: 1, ttl: 10, records: expect.arrayContaining(['first-token', 'second-token']) },
        wildcard: { before: [], found: ['*.wild.gophercloud.example.org.'], like: 2 },
        'zone deleted': { status: 'PENDING', action: 'DELETE' },
      });
    },
    PATIENCE,
  );
});
