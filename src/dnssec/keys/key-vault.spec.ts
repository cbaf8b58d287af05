import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { DnssecOptions } from '../dnssec.options.js';
import { DamagedKey, KeyVault, SealedShut } from './key-vault.js';

const PLACE = { id: 'key', zoneId: 'zone' };
const { privateKey } = generateKeyPairSync('ed25519');
const [first, second] = [randomBytes(32), randomBytes(32)];

function vaultOf(...encryptionKeys: Uint8Array[]): KeyVault {
  const options: DnssecOptions = {
    ...{ encryptionKeys, algorithm: 13, rsaBits: 2048, denial: 'nsec', validity: 1, refresh: 1, maxTtl: 1 },
    ...{ lifetimes: { csk: null, ksk: null, zsk: null }, resolver: null, parents: [], signalZones: [], token: null },
  };
  return new KeyVault(options);
}

it('23.7: opens sealed data, also with the previous key', () => {
  const sealed = vaultOf(first).seal(privateKey, PLACE);
  expect(vaultOf(first).open(sealed, PLACE).equals(privateKey)).toBe(true);
  expect(vaultOf(second, first).open(sealed, PLACE).equals(privateKey)).toBe(true);
  expect(vaultOf(second, first).isPresent(sealed.sealedWith)).toBe(false);
});

it('23.7: seals the same key in another way each time', () => {
  const vault = vaultOf(first);
  expect(vault.seal(privateKey, PLACE).sealed).not.toBe(vault.seal(privateKey, PLACE).sealed);
});

it('23.7: opens nothing with another key, in another place, or after one bit has changed', () => {
  const sealed = vaultOf(first).seal(privateKey, PLACE);
  expect(() => vaultOf(second).open(sealed, PLACE)).toThrow(SealedShut);
  expect(() => vaultOf(first).open(sealed, { ...PLACE, zoneId: 'other' })).toThrow(DamagedKey);
  expect(() => vaultOf(first).open(sealed, { ...PLACE, id: 'other' })).toThrow(DamagedKey);
  const octets = Buffer.from(sealed.sealed, 'base64');
  for (const at of [0, 12, 28, octets.length - 1]) {
    const changed = Buffer.from(octets);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => vaultOf(first).open({ ...sealed, sealed: changed.toString('base64') }, PLACE)).toThrow(DamagedKey);
  }
});

it('23.7: seals nothing without a key', () => {
  expect(vaultOf().isOpen).toBe(false);
  expect(() => vaultOf().seal(privateKey, PLACE)).toThrow(SealedShut);
});
