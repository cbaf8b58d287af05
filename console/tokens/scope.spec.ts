import { describe, expect, it } from '@jest/globals';
import type { ListedZone } from '../api/types.js';
import { limitsFor, linesOf, scopeOf, zoneFinder } from './scope.js';

const ZONES = ['Example.org.', 'lab.example.org.', '2.0.192.in-addr.arpa.'];
const zoneNamed = (name: string) => ({ name, email: 'hostmaster@example.org' }) as ListedZone;

function finder(asked: string[] = []) {
  return zoneFinder((name) => {
    asked.push(name);
    return Promise.resolve(ZONES.filter((zone) => zone.toLowerCase() === name).map(zoneNamed));
  });
}

describe('the scope of a client', () => {
  it('22.9 has each host name in the closest zone of the tenant', async () => {
    const { placed, faults } = await scopeOf(['www.example.org', '*.lab.Example.org.'], 'certificates', finder());
    expect(faults).toEqual([]);
    expect(placed.map(({ name, zone }) => [name, zone.name])).toEqual([
      ['www.example.org.', 'Example.org.'],
      ['*.lab.example.org.', 'lab.example.org.'],
    ]);
    expect(limitsFor('certificates', placed)).toEqual({
      domains: ['Example.org.', 'lab.example.org.'],
      names: ['_acme-challenge.www.example.org.', '_acme-challenge.lab.example.org.'],
      types: ['TXT'],
      actions: ['create', 'delete'],
    });
  });

  it('22.9 rejects names outside of the zones, and text that is no host name', async () => {
    const entries = linesOf('www.not-mine.example\nfoo bar, _dmarc.example.org\nwww.example.org');
    const { placed, faults } = await scopeOf(entries, 'certificates', finder());
    expect(placed).toHaveLength(1);
    expect(faults).toEqual([
      expect.stringContaining('www.not-mine.example is not in any of your zones'),
      expect.stringContaining('“foo bar” is not a host name'),
      expect.stringContaining('“_dmarc.example.org” is not a host name'),
    ]);
  });

  it('22.9 asks for each name once', async () => {
    const asked: string[] = [];
    await scopeOf(['a.example.org', 'b.example.org', 'a.example.org'], 'records', finder(asked));
    expect(asked.sort()).toEqual(['a.example.org.', 'b.example.org.', 'example.org.']);
  });

  it('22.9 permits whole zones, or the entered names only', async () => {
    const whole = await scopeOf(['example.org'], 'records', finder());
    expect(limitsFor('records', whole.placed)).toEqual({ domains: ['Example.org.'] });
    const mixed = await scopeOf(['lab.example.org', '*.lan.example.org'], 'records', finder());
    expect(limitsFor('records', mixed.placed)).toEqual({
      domains: ['lab.example.org.', 'Example.org.'],
      names: ['lab.example.org.', '*.lab.example.org.', '*.lan.example.org.'],
    });
  });

  it('22.9 takes only zones for a DHCP server', async () => {
    const { placed, faults } = await scopeOf(['2.0.192.in-addr.arpa', 'lan.example.org'], 'dhcp', finder());
    expect(faults).toEqual([expect.stringContaining('lan.example.org is not a zone')]);
    expect(limitsFor('dhcp', placed)).toEqual({
      domains: ['2.0.192.in-addr.arpa.'],
      types: ['A', 'AAAA', 'DHCID', 'PTR'],
    });
  });
});
