import { describe, expect, it } from '@jest/globals';
import { newPrivateKeyOf } from '../../../test/support/signed-model.js';
import { DomainName } from '../name.js';
import { SIGNING_ALGORITHMS } from './algorithms.js';
import { KeyFileError, readKeyFiles, writeKeyFiles } from './key-files.js';

const OWNER = DomainName.parse('Example.org.');

const KEYS = await Promise.all(
  SIGNING_ALGORITHMS.map(
    async ({ mnemonic, number }) => [mnemonic, await newPrivateKeyOf(number), await newPrivateKeyOf(number)] as const,
  ),
);

describe.each(KEYS)('%s', (_, { dnskey, privateKey }, other) => {
  const written = writeKeyFiles(OWNER, dnskey, privateKey);

  it('reads the files that it has written', () => {
    const read = readKeyFiles(`; a comment\n${written.publicText}`, written.privateText);
    expect(read.owner.equals(OWNER)).toBe(true);
    expect(Buffer.compare(read.dnskey, dnskey)).toBe(0);
    expect(read.privateKey.equals(privateKey)).toBe(true);
  });

  it('refuses the files of two keys, and malformed files', () => {
    const { privateText } = writeKeyFiles(OWNER, other.dnskey, other.privateKey);
    expect(() => readKeyFiles(written.publicText, privateText)).toThrow(KeyFileError);
    expect(() => readKeyFiles(written.publicText, '')).toThrow(KeyFileError);
    expect(() => readKeyFiles('', written.privateText)).toThrow(KeyFileError);
    expect(() => readKeyFiles(written.publicText, written.privateText.replace(/: \w\w/g, ': '))).toThrow(KeyFileError);
  });
});

it('reads a key of dnssec-keygen', () => {
  const publicText = `; This is a key-signing key, keyid 55648, for example.net.
example.net. IN DNSKEY 257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==
`;
  // RFC 6605 §6.1.
  const privateText = `Private-key-format: v1.2
Algorithm: 13 (ECDSAP256SHA256)
PrivateKey: GU6SnQ/Ou+xC5RumuIUIuJZteXT2z0O/ok1s38Et6mQ=
`;
  const { owner, dnskey, privateKey } = readKeyFiles(publicText, privateText);
  expect(writeKeyFiles(owner, dnskey, privateKey).name).toBe('Kexample.net.+013+55648');
});
