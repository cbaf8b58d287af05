import { describe, expect, it, jest } from '@jest/globals';
import { MALLORY, violationsUnder } from './attack.js';
import { getRequest } from './flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

describe('what is the same for everybody', () => {
  it('is sent to those who read: a bundle asked for again and again on few connections holds nobody up', async () => {
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

  it('4.8 is made once: the record types asked for without end hold nobody up', async () => {
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

  it('is made once: the API document asked for without end on 80 connections holds nobody up', async () => {
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
