import { describe, expect, it, jest } from '@jest/globals';
import { MALLORY, violationsUnder } from './attack.js';
import { getRequest } from './flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

describe('shared documents', () => {
  it('do not slow down others when a few connections request a bundle repeatedly', async () => {
    const violations = await violationsUnder({
      name: 'bundle pipelined, nothing read',
      run: async (target) => {
        const flood = target.flood({
          kind: 'connections',
          connections: 8,
          octets: getRequest('/docs/swagger-ui-bundle.js'),
          times: inForm(1000, 3000),
          reads: 'nothing',
          reopens: true,
        });
        await target.hold(inForm(4000, 20_000));
        target.note(await flood.end());
      },
    });
    expect(violations).toEqual([]);
  });

  it('4.8 renders the record types once and does not slow down others under endless requests', async () => {
    const violations = await violationsUnder({
      name: 'record types pipelined on 40 connections',
      run: async (target) => {
        const flood = target.flood({
          kind: 'connections',
          connections: 40,
          octets: getRequest('/v1/record-types', MALLORY),
          times: inForm(1000, 5000),
          reads: 'everything',
          reopens: true,
        });
        await target.hold(inForm(4000, 20_000));
        target.note(await flood.end());
      },
    });
    expect(violations).toEqual([]);
  });

  it('renders the API document once and does not slow down others under endless requests on 80 connections', async () => {
    const violations = await violationsUnder({
      name: 'document pipelined on 80 connections',
      run: async (target) => {
        const flood = target.flood({
          kind: 'connections',
          connections: 80,
          octets: getRequest('/openapi.json'),
          times: inForm(1000, 5000),
          reads: 'everything',
          reopens: true,
        });
        await target.hold(inForm(4000, 20_000));
        target.note(await flood.end());
      },
    });
    expect(violations).toEqual([]);
  });
});
