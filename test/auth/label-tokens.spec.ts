import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { restrictionsColumn } from '../../src/auth/scopes/token-scope.js';
import { UNRESTRICTED } from '../../src/common/caller.js';
import { DomainName } from '../../src/dns/name.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName } from '../support/domain.js';
import { type Row, storeRows } from '../support/store-rows.js';
import { executeIn, lookInto } from '../support/stored.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

let service: TokenService;
let owner: TokenClient;

beforeAll(async () => {
  service = await startTokenService();
  owner = await service.newToken();
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

async function newZone(labels: object, client: TokenClient = owner): Promise<DomainBody> {
  const body = { name: freshName(), email: 'a@example.org', labels };
  return bodyOf<DomainBody>(client.call('post', '/v1/domains', body));
}

const namesOf = async (client: TokenClient, path = '/v1/domains'): Promise<string[]> =>
  (await bodyOf<{ domains: DomainBody[] }>(client.call('get', path))).domains.map(({ name }) => name);

describe('tokens limited by labels', () => {
  it('14.7 see and change only domains with all of their labels, at the time of the request', async () => {
    const [web, other] = [await newZone({ team: 'web', env: 'prod' }), await newZone({ team: 'web' })];
    await newZone({ team: 'web', env: 'prod' }, await service.newToken({ tenantId: 'others' }));
    const limited = await service.newToken({ restrictions: { labels: ['team=web', 'env'] } });
    expect(await namesOf(limited)).toEqual([web.name]);
    expect(await namesOf(limited, '/v1/domains?label=team')).toEqual([web.name]);
    await answerOf(limited.call('get', `/v1/domains/${other.id}`), 404);
    await answerOf(limited.call('post', `/v1/domains/${web.id}/records`, recordAt(web)));
    await answerOf(limited.call('post', `/v1/domains/${other.id}/records`, recordAt(other)), 404);
    await answerOf(limited.call('post', '/v1/domains', { name: freshName(), email: 'a@example.org' }), 401);
    await answerOf(owner.call('put', `/v1/domains/${other.id}`, { labels: { team: 'web', env: '' } }));
    expect(await namesOf(limited)).toEqual([web.name, other.name]);
    await answerOf(owner.call('put', `/v1/domains/${web.id}`, { labels: {} }));
    expect(await namesOf(limited)).toEqual([other.name]);
    const among = await service.newToken({ restrictions: { labels: ['team'], domains: [web.name] } });
    expect(await namesOf(among)).toEqual([]);
    expect(await bodyOf(limited.call('get', '/v1/whoami'))).toMatchObject({
      limits: { labels: ['team=web', 'env'], domains: [other.name], names: null },
    });
  });

  const recordAt = ({ name }: DomainBody) => ({ name: `www.${name}`, type: 'A', data: '192.0.2.1' });

  it('14.7 make only tokens with at least their labels', async () => {
    const limited = await service.newToken({ restrictions: { labels: ['team=dns'] } });
    const made = await bodyOf<{ labels: string[]; domains: null }>(limited.call('post', '/v1/tokens', {}));
    expect([made.labels, made.domains]).toEqual([['team=dns'], null]);
    const narrower = limited.call('post', '/v1/tokens', { labels: ['env=prod', 'team=dns'] });
    expect((await bodyOf<{ labels: string[] }>(narrower)).labels).toEqual(['env=prod', 'team=dns']);
    await refusalOf(limited.call('post', '/v1/tokens', { labels: ['env=prod'] }), 401, 'access_denied');
    await refusalOf(owner.call('post', '/v1/tokens', { labels: ['a b'] }), 400, 'invalid_object');
    const many = Array.from({ length: 9 }, (_, at) => `k${at}`);
    await refusalOf(owner.call('post', '/v1/tokens', { labels: many }), 400, 'invalid_object');
  });

  it('14.7 reach at most 1000 domains', async () => {
    const zone = await newZone({ many: 'yes', few: 'yes' });
    const [row] = lookInto(service.databaseFile, ({ rows }) => rows<Row>('SELECT * FROM zones WHERE id = ?', zone.id));
    const zones = Array.from({ length: 1000 }, (_, at) => {
      const [id, name] = [`${zone.id.slice(0, 32)}${1000 + at}`, `n${at}.example.net.`];
      return { ...row, id, name, name_key: DomainName.parse(name).key, labels: '{"many":"yes"}' };
    });
    storeRows(service.databaseFile, { zones }, 'SELECT 1');
    const many = await service.newToken({ restrictions: { labels: ['many=yes'] } });
    await refusalOf(many.call('get', '/v1/domains'), 401, 'access_denied');
    const few = await service.newToken({ restrictions: { labels: ['many', 'few'] } });
    expect(await namesOf(few)).toEqual([zone.name]);
    executeIn(service.databaseFile, "DELETE FROM zones WHERE name LIKE 'n%.example.net.'");
    expect(await namesOf(many)).toEqual([zone.name]);
  });

  it('14.7, 18.8 reach no domain through a release without labels', () => {
    const column = JSON.parse(restrictionsColumn({ ...UNRESTRICTED, labels: ['team=web'] }) ?? '') as object;
    expect(column).toMatchObject({ domains: ['limited-by-labels.invalid.'] });
  });
});
