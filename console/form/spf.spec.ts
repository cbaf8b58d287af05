import { describe, expect, it } from '@jest/globals';
import { joinedStrings, spfLookups } from './spf.js';

describe('22.3 DNS lookups of an SPF value', () => {
  it.each([
    ['v=spf1 -all', 0],
    ['v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 exp=explain.example.org ~all', 0],
    ['v=spf1 include:_spf.example.com ~all', 1],
    ['V=SPF1 +A -MX/24 ?ptr:example.org ~exists:%{i}.example.org a:mail.example.org//64 -all', 5],
    ['v=spf1 redirect=_spf.example.com', 1],
    ['v=spf1 -all include:ignored.example.com redirect=ignored.example.com', 0],
    ['v=spf1 allow:x mxx a1', 0],
    [`v=spf1 ${'include:x.example.com '.repeat(11)}-all`, 11],
  ])('%j needs %d', (text, lookups) => {
    expect(spfLookups(text)).toBe(lookups);
  });

  it.each(['', 'v=spf10 a', 'v=DKIM1; p=', 'spf1 a', 'v=spf1a mx'])('%j is no SPF value', (text) => {
    expect(spfLookups(text)).toBeNull();
  });

  it('are those of the joined strings', () => {
    expect(joinedStrings('"v=spf1 include:a.exa" "mple.com -all"')).toBe('v=spf1 include:a.example.com -all');
    expect(spfLookups(joinedStrings('"v=spf1" "include:a.example" "~all"'))).toBeNull();
  });
});
