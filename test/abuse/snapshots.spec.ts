import { describe, expect, it, jest } from '@jest/globals';
import { MALLORY, violationsUnder } from './attack.js';
import { getRequest } from './flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { makeLargeDomain } from './large-domains.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

describe('exports without a reader', () => {
  it('do not block other exports: three of them take no database connection from others', async () => {
    const violations = await violationsUnder({
      name: 'three exports unread',
      settings: unlimitedChanges(),
      prepare: (target) => makeLargeDomain(target, 'mallory', inForm(200, 500)),
      run: async (target, { id }) => {
        const octets = getRequest(`/v1/domains/${id}/export`, MALLORY);
        const flood = target.flood({
          kind: 'connections',
          connections: 3,
          octets,
          times: 1,
          reads: 'nothing',
          reopens: true,
        });
        // The good client exports its own domain every half a second; one that waits for a connection does so for five.
        await target.hold(inForm(8000, 20_000));
        target.note(await flood.end());
      },
    });
    expect(violations).toEqual([]);
  });
});
