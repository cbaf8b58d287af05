import { describe, expect, it } from '@jest/globals';
import { delegationIn } from './delegation-state.js';

const OWN = ['ns1.example.net.', 'ns2.example.net.'];
const server = (name: string, ns: string[] | null) => ({ name, ns, ds: [], error: null });

describe('22.17 the delegation', () => {
  it('is complete when every name server of the parent zone has the name servers, in any order and case', () => {
    const servers = [server('a.', ['NS2.example.net.', 'ns1.example.net.']), server('b.', [...OWN])];
    expect(delegationIn({ servers }, OWN)).toMatchObject({ isComplete: true, former: [], silent: [] });
    expect(delegationIn({ servers: [] }, OWN).isComplete).toBe(false);
  });

  it('names the servers that have others, and those that do not answer', () => {
    const servers = [server('a.', [...OWN]), server('b.', [...OWN, 'ns1.old.example.']), server('c.', null)];
    expect(delegationIn({ servers }, OWN)).toMatchObject({ isComplete: false, former: ['b.'], silent: ['c.'] });
  });
});
