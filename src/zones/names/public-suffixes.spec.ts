import { describe, expect, it } from '@jest/globals';
import { DomainName } from '../../dns/name.js';
import { PublicSuffixes } from './public-suffixes.js';

const isSuffix = (name: string, added: string[] = [], excepted: string[] = []) =>
  new PublicSuffixes({ added, excepted }).has(DomainName.parse(name));

describe('the public suffixes', () => {
  it.each([
    'com.',
    'COM.',
    'co.uk.',
    'in-addr.arpa.',
    'github.io.',
    'xn--p1ai.',
    'anything.ck.',
    'intern.',
    '_a.',
    '1.',
  ])('are %s', async (name) => {
    expect(await isSuffix(name)).toBe(true);
  });

  it.each(['example.com.', 'www.ck.', '2.0.192.in-addr.arpa.', '0/25.2.0.192.in-addr.arpa.', 'a_b.com.', '1.1.1.1.'])(
    'are not %s',
    async (name) => {
      expect(await isSuffix(name)).toBe(false);
    },
  );

  it("include the operator's additions, in any case, without names below them", async () => {
    expect(await isSuffix('Customers.example.net.', ['customers.Example.net.'])).toBe(true);
    expect(await isSuffix('one.customers.example.net.', ['customers.example.net.'])).toBe(false);
  });

  it("exclude the operator's exceptions, which override additions", async () => {
    expect(await isSuffix('co.jp.', [], ['CO.jp.'])).toBe(false);
    expect(await isSuffix('lan.', ['lan.'], ['lan.'])).toBe(false);
    expect(await isSuffix('com.', [], ['co.jp.'])).toBe(true);
  });
});
