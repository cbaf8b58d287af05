import { describe, expect, it } from '@jest/globals';

import { DomainName } from '../name.js';
import { CDS } from './dnssec.js';
import { CNAME, NS } from './name-types.js';
import { domainName, uint16, uint8 } from './fields.js';
import { MX, SRV } from './service-types.js';
import { RdataError } from './rdata-error.js';
import { recordType } from './record-type.js';
import { SSHFP } from './digest-types.js';

const OWN = recordType({
  name: 'OWN',
  code: 65280,
  rfc: 'none',
  fields: { rank: uint16, hostKind: uint8, host: domainName, spare: domainName },
  priority: 'rank',
  check({ rank, hostKind }) {
    if (rank < hostKind) throw new RdataError(`rank ${rank} is below ${hostKind}`);
  },
  owner: { form: 'have three labels', allows: ({ labelCount }) => labelCount === 3 },
  placement: {
    isSingle: true,
    notAtApex: 'it is none of its business',
    exclusive: { name: 'an empty one', includes: ({ hostKind }) => hostKind === 0 },
    needs: { type: 'A', otherwise: 'it leads nowhere', isNeededBy: ({ host, spare }) => host.equals(spare) },
  },
  targets: ['host', 'spare'],
  example: { name: 'a.example.org.', data: '1 a.example.org. b.example.org.', priority: 7 },
});

const own = (data: string, priority = 7): Uint8Array => OWN.parse(data, priority);

describe('the typed values of RDATA', () => {
  it('have the names and types of the fields, the priority among them', () => {
    const { preference, exchange } = MX.values(MX.parse('Mail.example.org.', 10));
    const sum: number = preference + 1;
    const name: DomainName = exchange;
    expect([sum, name.toString()]).toEqual([11, 'Mail.example.org.']);
    expect(SRV.values(SRV.parse('5 5060 .', 1))).toEqual({
      priority: 1,
      weight: 5,
      port: 5060,
      target: DomainName.ROOT,
    });
  });

  it('are refused to octets of another form', () => {
    expect(() => MX.values(Uint8Array.of(0))).toThrow(RdataError);
    expect(() => MX.values(Uint8Array.of(0, 10, 0, 0))).toThrow('1 octets too many');
  });
});

describe('the fields of a type', () => {
  it('are named in messages by the words of its declaration', () => {
    expect(() => SSHFP.parse('1 x aa', null)).toThrow('the fingerprint type "x"');
    expect(() => own('300 a. b.')).toThrow('the host kind "300"');
  });

  it('describe data without the priority', () => {
    expect(OWN.dataFields.map(({ label, form }) => `${label}: ${form}`)).toEqual([
      'host kind: number 0–255',
      'host: domain name',
      'spare: domain name',
    ]);
  });
});

describe('the targets of a record', () => {
  it.each([
    [NS, 'ns.example.org.', null, ['ns.example.org.']],
    [MX, 'mail.example.org.', 10, ['mail.example.org.']],
    [SRV, '1 2 sip.example.org.', 10, ['sip.example.org.']],
    [OWN, '1 a. b.', 7, ['a.', 'b.']],
    [MX, '.', 0, []],
    [SRV, '0 0 .', 10, []],
    [OWN, '1 . b.', 7, ['b.']],
    [CNAME, 'www.example.org.', null, []],
  ])('of %s %j with priority %j are %j', (type, data, priority, targets) => {
    expect(type.targets(type.parse(data, priority)).map(String)).toEqual(targets);
  });
});

describe('the rules of a type', () => {
  it('are its own, word for word', () => {
    expect(OWN).toMatchObject({ owner: { form: 'have three labels' }, role: null, priority: 'required' });
    expect(OWN.placement).toMatchObject({ isSingle: true, notAtApex: 'it is none of its business' });
    expect(CNAME.role).toBe('alias');
    expect(SSHFP.placement).toEqual({});
  });

  it('about values are asked with RDATA', () => {
    const { exclusive, needs } = OWN.placement;
    expect(exclusive?.includes(own('0 a. b.'))).toBe(true);
    expect(exclusive?.includes(own('1 a. b.'))).toBe(false);
    expect(needs?.isNeededBy?.(own('1 a. A.'))).toBe(true);
    expect(needs?.isNeededBy?.(own('1 a. b.'))).toBe(false);
    expect(MX.placement.exclusive?.includes(MX.parse('.', 0))).toBe(true);
    expect(MX.placement.exclusive?.includes(MX.parse('mail.', 0))).toBe(false);
    expect(CDS.placement.needs?.isNeededBy?.(CDS.parse('0 0 0 00', null))).toBe(false);
  });

  it('check the fields together, the priority among them', () => {
    expect(() => own('8 a. b.')).toThrow('rank 7 is below 8');
  });
});
