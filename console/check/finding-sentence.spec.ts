import { describe, expect, it } from '@jest/globals';
import type { Finding } from '../api/types.js';
import { findingSentence } from './finding-sentence.js';

const finding = (kind: string, text?: string): Finding => ({
  ...{ name: 'example.org.', type: 'MX', message: 'The service says.' },
  // A newer service may have other kinds.
  kind: kind as Finding['kind'],
  ...(text !== undefined && { text }),
});

describe('22.7 sentences for findings', () => {
  it('are those of the page for known kinds', () => {
    expect(findingSentence(finding('alias_target', 'mx.example.org.'))).toBe(
      'mx.example.org. is an alias. The target of MX has to be the real name.',
    );
    expect(findingSentence(finding('missing_alpn'))).toMatch(/^The record names no protocol\./);
  });

  it.each(['tomorrow', 'constructor'])('are those of the service for the unknown kind %s', (kind) => {
    expect(findingSentence(finding(kind))).toBe('The service says.');
  });
});
