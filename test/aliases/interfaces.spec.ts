import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import { addressesAt, type AliasService, type Following, startAliasService } from '../support/alias-service.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { PowerDnsClient, WITH_POWERDNS, type PowerDnsZone } from '../support/powerdns.js';
import { transfer } from '../support/dns-client.js';
import { until } from '../support/until.js';
import { add, exists, newUpdateKey, remove, TAKES_UPDATES, tsigKeyOf, Updater } from '../support/updates.js';

const [ONE, TWO, SIX] = ['192.0.2.10', '192.0.2.20', '2001:db8::1'];
const ALIAS_CODE = 65401;

let service: AliasService;
beforeAll(async () => {
  service = await startAliasService({
    ...TAKES_UPDATES,
    ...DNSSEC_ON,
    ...WITH_POWERDNS,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_API__ENABLE_API_ADMIN: 'True',
    SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
  });
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

const at = ({ id }: TestDomain, rest: string): string => `/v1/domains/${id}/${rest}`;
const place = () => ({ port: Number(new URL(service.running.dnsUrl ?? '').port) });

/** Owner and type number of what a transfer sends. */
async function sentOf(domain: TestDomain): Promise<string[]> {
  const { records } = await transfer(place(), { name: domain.name, type: MetaType.AXFR });
  return [...new Set(records.map(({ owner, type }) => `${owner.toString()} ${type}`))];
}

describe('24.1 name servers', () => {
  it('24.1 get the addresses and no ALIAS, before and after signing', async () => {
    const { domain } = await service.following([ONE, SIX]);
    await domain.newRecord({ name: domain.at('none'), type: 'ALIAS', data: `none.${freshName()}` });
    const plain = await sentOf(domain);
    expect(plain).toEqual(expect.arrayContaining([`${domain.name} 1`, `${domain.name} 28`]));
    expect(plain.filter((one) => one.endsWith(` ${ALIAS_CODE}`) || one.startsWith('none.'))).toEqual([]);
    await answerOf(service.call('put', at(domain, 'dnssec'), { enabled: true }));
    await until(async () => (await sentOf(domain)).includes(`${domain.name} 48`));
    const signed = await sentOf(domain);
    expect(signed).toEqual(expect.arrayContaining([`${domain.name} 1`, `${domain.name} 28`]));
    expect(signed.filter((one) => one.endsWith(` ${ALIAS_CODE}`) || one.startsWith('none.'))).toEqual([]);
  });
});

describe('24.6 history', () => {
  interface Changes {
    readonly changes: readonly { readonly change_id: string; readonly actor: { readonly user: string | null } }[];
  }
  const changesOf = (domain: TestDomain): Promise<Changes> =>
    bodyOf<Changes>(service.call('get', at(domain, 'changes')));
  const otherAddress = async ({ domain, target }: Following): Promise<void> => {
    service.resolver.say(target, [TWO]);
    await until(async () => (await addressesAt(domain)).includes(TWO));
  };

  it('24.6 lists changes of the ALIAS, and none of its addresses', async () => {
    service.resolver.ttl = 1;
    const following = await service.following([ONE]);
    await otherAddress(following);
    service.resolver.ttl = 3600;
    const { changes } = await changesOf(following.domain);
    expect(changes).toHaveLength(2);
    const { history } = await bodyOf<{ history: { action: string }[] }>(
      service.call('get', at(following.domain, 'history')),
    );
    expect(history.map(({ action }) => action)).toEqual(['record.create', 'domain.create']);
    const all = await bodyOf<Changes>(service.call('get', '/v1/changes?limit=100'));
    expect(all.changes.filter(({ actor }) => actor.user === 'alias')).toEqual([]);
  });

  it('24.6 undoes the creation and the deletion of an ALIAS with its addresses', async () => {
    const { domain, id } = await service.following([ONE, SIX]);
    await domain.delete(id).expect(200);
    const [deletion] = (await changesOf(domain)).changes;
    await answerOf(service.call('post', at(domain, 'revert'), { change_id: deletion!.change_id }));
    await until(async () => (await addressesAt(domain)).length === 2);
    const creation = (await changesOf(domain)).changes.at(-1);
    await answerOf(
      service.call('post', at(domain, 'revert'), { change_id: (await changesOf(domain)).changes[0]!.change_id }),
    );
    expect(await domain.records()).toEqual([]);
    expect(creation).toBeDefined();
  });

  it('24.6 leaves the addresses of an ALIAS as they are when the domain goes back to a serial', async () => {
    service.resolver.ttl = 1;
    const following = await service.following([ONE]);
    const { domain } = following;
    const { serial } = await domain.now();
    await domain.newRecord({ name: domain.at('later') });
    await otherAddress(following);
    service.resolver.ttl = 3600;
    await answerOf(service.call('post', at(domain, 'revert'), { serial }));
    expect(await addressesAt(domain)).toEqual([TWO]);
    expect((await domain.records()).map(({ type }) => type).sort()).toEqual(['A', 'ALIAS']);
  });

  it('24.6 restores a deleted domain with its ALIAS', async () => {
    const { domain } = await service.following([ONE]);
    await service.call('delete', `/v1/domains/${domain.id}`).expect(200);
    await bodyOf(service.call('post', `/v1/deleted-domains/${domain.id}/restore`));
    const { domains } = await bodyOf<{ domains: { id: string }[] }>(
      service.call('get', `/v1/domains?name=${domain.name}`),
    );
    const records = async () =>
      (await bodyOf<{ records: { type: string }[] }>(service.call('get', `/v1/domains/${domains[0]!.id}/records`)))
        .records;
    await until(async () => (await records()).length === 2);
    expect((await records()).map(({ type }) => type).sort()).toEqual(['A', 'ALIAS']);
  });
});

describe('24.7 other interfaces', () => {
  it('24.7 the PowerDNS API has the ALIAS, and leaves its addresses out', async () => {
    const client = new PowerDnsClient(service);
    const { domain, target } = await service.following([ONE]);
    await domain.newRecord({ name: domain.at('www') });
    const zone = await client.json<PowerDnsZone>('get', `/zones/${domain.name}`);
    const shown = zone.rrsets.filter(({ type }) => type !== 'SOA' && type !== 'NS');
    expect(shown.map(({ name, type, records }) => [name, type, records[0]?.content])).toEqual([
      [domain.name, 'ALIAS', target],
      [domain.at('www'), 'A', '192.0.2.3'],
    ]);
    const rrset = (type: string, content: string, changetype = 'REPLACE') => ({
      rrsets: [{ name: domain.name, type, ttl: 60, changetype, records: [{ content, disabled: false }] }],
    });
    await client.refusal('patch', `/zones/${domain.name}`, rrset('A', TWO));
    const other = `lb.${freshName()}`;
    service.resolver.say(other, [TWO]);
    await client.answer('patch', `/zones/${domain.name}`, rrset('ALIAS', other), 204);
    await until(async () => (await addressesAt(domain)).includes(TWO));
    await client.answer('patch', `/zones/${domain.name}`, rrset('ALIAS', other, 'DELETE'), 204);
    expect(await addressesAt(domain)).toEqual([]);
  });

  it('24.7 UPDATE sees the addresses, and changes neither them nor the ALIAS', async () => {
    const { domain } = await service.following([ONE]);
    const updater = new Updater(place(), tsigKeyOf(await newUpdateKey(service)));
    const seen = { prerequisites: [exists(domain.name, 'A', ONE)], updates: [add(domain.at('x'), 60, 'A', TWO)] };
    expect(await updater.update(domain.name, seen)).toBe('NOERROR');
    for (const change of [add(domain.name, 60, 'A', TWO), remove(domain.name, 'A'), remove(domain.name)])
      expect(await updater.update(domain.name, { updates: [change] })).not.toBe('NOERROR');
    expect(await addressesAt(domain)).toEqual([ONE]);
  });

  it('24.7 version 2 shows the addresses as record sets that it does not change', async () => {
    const { domain, target } = await service.following([ONE]);
    const { recordsets } = await bodyOf<{
      recordsets: { id: string; type: string; records: string[]; description: string }[];
    }>(service.call('get', `/v2/zones/${domain.id}/recordsets`));
    const address = recordsets.find(({ type }) => type === 'A');
    expect(address).toMatchObject({ records: [ONE], description: `ALIAS ${target}` });
    expect(recordsets.find(({ type }) => type === 'ALIAS')).toMatchObject({ records: [target] });
    const path = `/v2/zones/${domain.id}/recordsets/${address!.id}`;
    await answerOf(service.call('put', path, { records: [TWO] }), 400);
    await answerOf(service.call('delete', path), 400);
  });
});

describe('24.8 zone files', () => {
  it('24.8 have the ALIAS as a comment above its addresses, which imports read', async () => {
    const { domain, target } = await service.following([ONE, SIX]);
    const text = await domain.export();
    expect(text).toContain(`;${domain.name}\t3600\tIN\tALIAS\t${target}\n${domain.name}\t300\tIN\tA\t${ONE}\n`);
    const copy = await newDomain(service);
    await copy.import(text.replaceAll(domain.name, copy.name));
    await until(async () => (await addressesAt(copy)).length === 2);
    expect((await copy.records()).map(({ type }) => type).sort()).toEqual(['A', 'AAAA', 'ALIAS']);
    expect(await domain.import(text, '?mode=replace')).toMatchObject({
      created: 0,
      updated: 0,
      removed: 0,
      unchanged: 1,
    });
    expect(await addressesAt(domain)).toEqual([ONE, SIX].sort());
  });

  it('24.8 a replacing file without the ALIAS takes its addresses, or makes them records of the user', async () => {
    const { domain } = await service.following([ONE, TWO]);
    await domain.import(`@ 300 A ${ONE}\n`, '?mode=replace');
    expect(await addressesAt(domain)).toEqual([ONE]);
    const [address] = await domain.records();
    await domain.update(address!.id, { data: TWO }).expect(200);
  });

  it('24.8 imports a record of type ALIAS as other programs write it', async () => {
    const domain = await newDomain(service);
    const target = `lb.${freshName()}`;
    service.resolver.say(target, [ONE]);
    await domain.import(`www 60 IN ALIAS ${target}\n`);
    await until(async () => (await addressesAt(domain, domain.at('www'))).length === 1);
  });
});

describe('24.10 quotas', () => {
  it('24.10 count the addresses, and never refuse them', async () => {
    const tenant = service.as('tenant-q');
    await answerOf(service.call('patch', '/admin/quotas/tenant-q', { quota: { zone_records: 1 } }));
    const domain = await newDomain(tenant);
    const target = `lb.${freshName()}`;
    service.resolver.say(target, [ONE, TWO]);
    await domain.newRecord({ name: domain.name, type: 'ALIAS', data: target });
    await until(async () => (await addressesAt(domain)).length === 2);
    await refusalOf(domain.create({ name: domain.at('x'), type: 'A', data: ONE }), 413, 'over_quota');
  });
});
