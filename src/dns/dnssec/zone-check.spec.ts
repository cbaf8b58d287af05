import { describe, expect, it } from '@jest/globals';
import { applyChanges, putApex } from '../../../test/support/signed-changes.js';
import { newSigningKey, SignedModel } from '../../../test/support/signed-model.js';
import { DomainName } from '../name.js';
import { Type } from './wire-set.js';
import { chainKind, NSEC3PARAM_RDATA } from './denial.js';
import { faultsOfZone, type PublishedSet } from './zone-check.js';

const APEX = DomainName.parse('example.org.');
const NOW = 1_700_000_000;
const DAY = 86_400;
const KEY = await newSigningKey(15);
const ANOTHER = await newSigningKey(15);
const MADE = new Set<number>([Type.SOA, Type.DNSKEY, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM]);
const CONTENT = { address: 2, several: 3, cut: 6, secureCut: 7, dname: 8 };

async function signedModel(denial: 'nsec' | 'nsec3'): Promise<SignedModel> {
  const model = new SignedModel(APEX, denial, KEY, { inception: NOW - 3600, expiration: NOW + 28 * DAY });
  putApex(model, 1);
  const names = [
    ['a', CONTENT.several],
    ['c.b.a', CONTENT.address],
    ['*.a', CONTENT.address],
    ['cut', CONTENT.secureCut],
    ['ns.cut', CONTENT.address],
    ['dn', CONTENT.dname],
    ['zz', CONTENT.cut],
  ] as const;
  applyChanges(
    model,
    names.map(([name, content]) => ({ name, content, ttl: 300 })),
    1,
  );
  await model.signAll();
  return model;
}

async function faultsOf(model: SignedModel, published: readonly PublishedSet[], now = NOW): Promise<string[]> {
  const faults: string[] = [];
  const sets = {
    at: (wanted: readonly { owner: DomainName; type: number }[]) =>
      Promise.resolve(
        published.filter((set) => wanted.some(({ owner, type }) => set.type === type && set.owner.equals(owner))),
      ),
    count: () => Promise.resolve(published.length),
  };
  for await (const { owner, type, what } of faultsOfZone(
    model.form,
    model.records.inOrder(),
    sets,
    ({ type }) => MADE.has(type),
    now,
  ))
    faults.push(`${owner.toString()} ${type} ${what}`);
  return faults;
}

describe.each(['nsec', 'nsec3'] as const)('%s', (denial) => {
  const chain = denial === 'nsec' ? Type.NSEC : Type.NSEC3;

  it('23.8: finds nothing wrong with a zone that is as it must be', async () => {
    const model = await signedModel(denial);
    expect(await faultsOf(model, model.published)).toEqual([]);
  });

  type Damage = (sets: PublishedSet[]) => PublishedSet[];
  const at = (name: string, type: number) => (set: PublishedSet) =>
    set.type === type && set.owner.equals(DomainName.parse(name, APEX));
  const without =
    (name: string, type: number): Damage =>
    (sets) =>
      sets.filter((set) => !at(name, type)(set));
  const changed =
    (name: string, type: number, change: (set: PublishedSet, sets: PublishedSet[]) => PublishedSet): Damage =>
    (sets) =>
      sets.map((set) => (at(name, type)(set) ? change(set, sets) : set));
  const flip =
    (octet: number) =>
    (set: PublishedSet): PublishedSet => ({
      ...set,
      signatures: set.signatures.map((rrsig) => rrsig.map((value, index) => (index === octet ? value ^ 1 : value))),
    });
  const DAMAGES: readonly (readonly [what: string, damage: Damage])[] = [
    ['a set without signatures', without('a', 1)],
    ['the SOA without signatures', without('@', Type.SOA)],
    ['the keys without signatures', without('@', Type.DNSKEY)],
    ['a wildcard without signatures', without('*.a', 1)],
    ['a DS without signatures', without('cut', Type.DS)],
    ['a DNAME without signatures', without('dn', Type.DNAME)],
    ['a set with no RRSIG left in its row', changed('a', 1, (set) => ({ ...set, signatures: [] }))],
    [
      'a set with the signature of another set',
      changed('a', 1, (set, sets) => ({ ...set, signatures: sets.find(at('a', 28))?.signatures ?? [] })),
    ],
    [
      'a set with the signature of another name',
      changed('a', 1, (set, sets) => ({ ...set, signatures: sets.find(at('c.b.a', 1))?.signatures ?? [] })),
    ],
    ['another ttl than was signed', changed('a', 1, (set) => ({ ...set, ttl: 301 }))],
    ...['type', 'type', 'algorithm', 'labels', 'ttl', 'ttl', 'ttl', 'ttl', 'expiration', 'expiration'].map(
      (what, octet) => [`octet ${octet} of the RRSIG, ${what}`, changed('a', 1, flip(octet))] as const,
    ),
    ['the inception of the RRSIG', changed('a', 1, flip(15))],
    ['the key tag', changed('a', 1, flip(17))],
    ["the signer's name", changed('a', 1, flip(19))],
    ['the signature', changed('a', 1, flip(60))],
    ['a signature of the chain', changed(denial === 'nsec' ? 'a' : hashOf('a'), chain, flip(60))],
    ['a link that is missing', without(denial === 'nsec' ? 'a' : hashOf('a'), chain)],
    [
      'a link that leads elsewhere',
      changed(denial === 'nsec' ? 'a' : hashOf('a'), chain, (set, sets) => ({
        ...set,
        rdatas: sets.find(at(denial === 'nsec' ? 'dn' : hashOf('dn'), chain))?.rdatas ?? [],
      })),
    ],
    [
      'a link with other types',
      changed(denial === 'nsec' ? 'a' : hashOf('a'), chain, (set) => ({
        ...set,
        rdatas: set.rdatas.map((rdata) =>
          rdata.map((value, index) => (index === rdata.length - 1 ? value ^ 1 : value)),
        ),
      })),
    ],
    ['a set that is signed and must not be: NS at a cut', (sets) => [...sets, extra('cut', Type.NS)]],
    ['a set that is signed and must not be: glue', (sets) => [...sets, extra('ns.cut', 1)]],
    ['a link for a name that is not there', (sets) => [...sets, extra('ghost', chain)]],
    [
      'a serial that was not signed',
      changed('@', Type.SOA, (set) => ({
        ...set,
        rdatas: [Uint8Array.of(...(set.rdatas[0] ?? []).slice(0, -20), 9, ...(set.rdatas[0] ?? []).slice(-19))],
      })),
    ],
    ['another key than the one that signs', changed('@', Type.DNSKEY, (set) => ({ ...set, rdatas: [ANOTHER.dnskey] }))],
    [
      'NSEC3PARAM that is not asked for, or another one',
      (sets) =>
        denial === 'nsec'
          ? [...sets, extra('@', Type.NSEC3PARAM)]
          : sets.map((set) =>
              set.type === Type.NSEC3PARAM ? { ...set, rdatas: [Uint8Array.of(1, 0, 0, 1, 0)] } : set,
            ),
    ],
  ];

  function hashOf(name: string): string {
    return chainKind('nsec3').ownerOf(DomainName.parse(name, APEX), APEX).toString();
  }

  function extra(name: string, type: number): PublishedSet {
    return { owner: DomainName.parse(name, APEX), type, ttl: 300, rdatas: [NSEC3PARAM_RDATA], signatures: [] };
  }

  it.each(DAMAGES)('23.8: finds %s', async (_, damage) => {
    const model = await signedModel(denial);
    expect(await faultsOf(model, damage([...model.published]))).not.toEqual([]);
  });

  it('23.8: finds expired signatures, and those not yet valid', async () => {
    const model = await signedModel(denial);
    for (const now of [NOW + 28 * DAY + 1, NOW - 3601]) {
      const faults = await faultsOf(model, model.published, now);
      expect(faults.length).toBe(model.published.length);
    }
  });
});
