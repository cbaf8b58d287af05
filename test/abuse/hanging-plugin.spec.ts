import { describe, expect, it, jest } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { answerOf, bodyOf } from '../support/answers.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const INDEX = resolve(import.meta.dirname, '../../dist/src/index.js');
const ZONES = 5;

/** Limits of another system that does not answer for one tenant. */
const PLUGIN = `
import { definePlugin, fill, RecordLimits } from '${INDEX}';

class Limits extends RecordLimits {
  checkFor(_, tenantId) {
    return tenantId === 'mallory' ? new Promise(() => undefined) : Promise.resolve(() => undefined);
  }
}

export default definePlugin({ name: 'billing', zonewright: '*', core: () => ({ ports: [fill(RecordLimits, Limits)] }) });
`;

/** A key service that makes keys, and never signs. */
const TOKEN = `
import { generateKeyPairSync } from 'node:crypto';
import { definePlugin, fill, KeyToken } from '${INDEX}';

class KeyService extends KeyToken {
  async makeKey() {
    const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    const publicField = Buffer.concat([x, y].map((text) => Buffer.from(text, 'base64url')));
    return { reference: publicField.toString('hex').slice(0, 32), publicField };
  }
  sign() {
    return new Promise(() => undefined);
  }
  async destroyKey() {}
}

export default definePlugin({ name: 'keys', zonewright: '*', core: () => ({ ports: [fill(KeyToken, KeyService)] }) });
`;

const zonesOf = async (target: Target): Promise<string[]> => {
  const paths: string[] = [];
  for (let at = 0; at < ZONES; at += 1) {
    const body = { name: `m${at}.example.org.`, email: 'hostmaster@example.org' };
    const { id } = await bodyOf<{ id: string }>(target.clients.as('mallory').call('post', '/v1/domains', body));
    paths.push(`/v1/domains/${id}/records`);
  }
  return paths;
};

/** Creates records in all zones at the same time. */
async function createIn(target: Target, paths: readonly string[]): Promise<void> {
  const floods = paths.map((path, at) =>
    target.flood({
      kind: 'requests',
      parallel: 4,
      times: inForm(200, 5000),
      method: 'POST',
      path,
      headers: { ...MALLORY, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `www.m${at}.example.org.`, type: 'A', data: '192.0.2.1' }),
    }),
  );
  target.note({ floods: await Promise.all(floods.map(({ ended }) => ended)) });
}

describe('limits of a plugin that never answers for one tenant', () => {
  it('16.7 are named and do not slow down others', async () => {
    const violations = await violationsUnder({
      name: 'a port that never answers',
      settings: { PLUGINS__PACKAGES: './billing.mjs' },
      seed: (directory) => writeFile(join(directory, 'billing.mjs'), PLUGIN),
      prepare: zonesOf,
      run: async (target, paths) => {
        await createIn(target, paths);
        const { body } = await target.clients.plain('get', '/readyz');
        const named = JSON.stringify((body as { failing_plugins?: unknown }).failing_plugins);
        target.must(named === '["billing/RecordLimits"]', `/readyz names ${named}`);
        target.must(target.log().includes('plugin billing: RecordLimits has not answered'), 'the log does not name it');
      },
    });
    expect(violations).toEqual([]);
  });
});

describe('a key service that never signs', () => {
  it('16.7, 23.20 leaves changes alone, also of the domains that it is to sign', async () => {
    const violations = await violationsUnder({
      name: 'a token that never signs',
      settings: {
        PLUGINS__PACKAGES: './keys.mjs',
        ...DNSSEC_ON,
        SERVICE_MDNS__ENABLED: 'True',
        SERVICE_MDNS__LISTEN: '127.0.0.1:0',
        SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      },
      seed: (directory) => writeFile(join(directory, 'keys.mjs'), TOKEN),
      prepare: async (target) => {
        const paths = await zonesOf(target);
        for (const path of paths) {
          const dnssec = path.replace('records', 'dnssec');
          await answerOf(target.clients.as('mallory').call('put', dnssec, { enabled: true }));
        }
        return paths;
      },
      run: async (target, paths) => {
        await createIn(target, paths);
        for (const path of paths) {
          const { body } = await target.clients.as('mallory').call('get', path.replace('records', 'dnssec'));
          const { state } = body as { state?: string };
          target.must(state === 'signing', `a domain without signatures is ${state}`);
          const { body: list } = await target.clients.as('mallory').call('get', path);
          const { records } = list as { records: readonly { type: string }[] };
          target.must(
            records.some(({ type }) => type === 'A'),
            'a change was not accepted',
          );
        }
      },
    });
    expect(violations).toEqual([]);
  });
});
