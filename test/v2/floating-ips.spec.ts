import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf } from '../support/v2.js';

const PATH = '/v2/reverse/floatingips';
const ID = 'RegionOne:019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

let service: TestService;
let owner: Client;
beforeAll(async () => {
  service = await startTestService();
  owner = service.as('acme');
});
afterAll(() => service.stop());

describe('floating IPs', () => {
  it('13.7 are none: an empty list, and 404 for each of them', async () => {
    for (const path of [PATH, `${PATH}/`])
      expect(await bodyOf(owner.call('get', path))).toEqual({
        floatingips: [],
        links: { self: `${service.url}${path}` },
      });
    await v2RefusalOf(owner.call('get', `${PATH}/${ID}`), 404, 'not_found');
    for (const body of [{ ptrdname: null }, { ptrdname: 'a.example.org.', ttl: 600, description: 'x' }])
      await v2RefusalOf(owner.call('patch', `${PATH}/${ID}`, body), 404, 'not_found');
  });

  it.each(['foo', 'RegionOne:foo', '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4', `${ID}:x`, ':x'])(
    '13.7 are not named by %s: 400',
    async (id) => {
      await v2RefusalOf(owner.call('get', `${PATH}/${id}`), 400, 'bad_request');
      await v2RefusalOf(owner.call('patch', `${PATH}/${id}`, { ptrdname: null }), 400, 'bad_request');
    },
  );

  it.each([
    [{}, 'ptrdname'],
    [{ ptrdname: '' }, 'ptrdname'],
    [{ ptrdname: '@!(*&' }, 'ptrdname'],
    [{ ptrdname: 4564 }, 'ptrdname'],
    [{ ptrdname: 'x'.repeat(5000) }, 'ptrdname'],
    [{ ptrdname: 'a.example.org.', ttl: -10 }, 'ttl'],
    [{ ptrdname: 'a.example.org.', description: 'x'.repeat(5000) }, 'description'],
    [{ ptrdname: null, address: '192.0.2.1' }, 'address'],
  ])('13.7 checks %j before it looks for one', async (body, path) => {
    await v2RefusalOf(owner.call('patch', `${PATH}/${ID}`, body), 400, 'invalid_object', [[path]]);
  });
});
