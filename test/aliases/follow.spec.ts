import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Rcode } from '../../src/dns/message/codes.js';
import type { AliasResolver } from '../support/alias-resolver.js';
import { addressesAt, type AliasService, startAliasService } from '../support/alias-service.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import { freshName, newDomain } from '../support/domain.js';
import { until } from '../support/until.js';

let service: AliasService;
let resolver: AliasResolver;
beforeAll(async () => {
  service = await startAliasService();
  ({ resolver } = service);
});
afterAll(() => service.stop());
afterEach(() => {
  resolver.ttl = 1;
});

interface ChangesBody {
  readonly changes: readonly { readonly records: object }[];
}

const [ONE, TWO, SIX] = ['192.0.2.10', '192.0.2.20', '2001:db8::1'];

describe('24.1 an ALIAS record', () => {
  it('24.1, 24.3 publishes the addresses of its target at the apex', async () => {
    const { domain } = await service.following([ONE, SIX]);
    expect(await addressesAt(domain)).toEqual([ONE, SIX].sort());
  });

  it('24.1 stands alone at its name among ALIAS, A, AAAA and CNAME', async () => {
    const domain = await newDomain(service);
    await domain.newRecord({ name: domain.at('a') });
    await domain.newRecord({ name: domain.at('c'), type: 'CNAME', data: 'x.example.org.' });
    for (const label of ['a', 'c'])
      await refusalOf(
        domain.create({ name: domain.at(label), type: 'ALIAS', data: 'x.example.net.' }),
        400,
        'invalid_recordset_location',
      );
    await domain.newRecord({ name: domain.at('l'), type: 'ALIAS', data: 'x.example.net.' });
    for (const [type, data] of [
      ['A', ONE],
      ['AAAA', SIX],
      ['CNAME', 'y.example.org.'],
      ['ALIAS', 'y.example.org.'],
    ])
      await refusalOf(domain.create({ name: domain.at('l'), type, data }), 400, 'invalid_recordset_location');
    await domain.newRecord({ name: domain.at('l'), type: 'TXT', data: '"x"' });
  });

  it('24.1 follows neither itself, the root nor a wildcard', async () => {
    const domain = await newDomain(service);
    for (const data of [domain.at('l').toUpperCase(), '.', '*.example.org.'])
      await refusalOf(domain.create({ name: domain.at('l'), type: 'ALIAS', data }), 400, 'invalid_object');
  });
});

describe('24.2 the addresses of an ALIAS', () => {
  it('24.2 cannot be changed, and name the ALIAS', async () => {
    const { domain, target } = await service.following([ONE]);
    const [address] = (await domain.records()).filter(({ type }) => type === 'A');
    expect(address).toMatchObject({ ttl: 300, description: `ALIAS ${target}` });
    await refusalOf(domain.update(address!.id, { data: TWO }), 400, 'invalid_recordset_location');
    await refusalOf(domain.delete(address!.id), 400, 'invalid_recordset_location');
  });

  it('24.2, 24.6 go with it in one change', async () => {
    const { domain, id } = await service.following([ONE, TWO], { ttl: 77 });
    expect((await domain.records()).filter(({ type }) => type === 'A').map(({ ttl }) => ttl)).toEqual([77, 77]);
    await domain.delete(id).expect(200);
    expect((await domain.records()).map(({ type }) => type)).toEqual([]);
    const { changes } = await bodyOf<ChangesBody>(service.call('get', `/v1/domains/${domain.id}/changes`));
    expect(changes.map(({ records }) => records)).toEqual([
      { created: 0, updated: 0, deleted: 3 },
      { created: 1, updated: 0, deleted: 0 },
      { created: 0, updated: 0, deleted: 0 },
    ]);
  });

  it('24.2 give way to records of the change that deletes the ALIAS', async () => {
    const { domain, id } = await service.following([ONE, TWO]);
    const record = { name: domain.name, type: 'A', data: ONE };
    await service
      .call('post', `/v1/domains/${domain.id}/changes`, {
        changes: [
          { action: 'create', record },
          { action: 'delete', id },
        ],
      })
      .expect(200);
    expect(await addressesAt(domain)).toEqual([ONE]);
  });
});

describe('24.3 following', () => {
  it('24.3 publishes differences alone: a stable target makes no serial', async () => {
    const { domain, target } = await service.following([ONE]);
    const { serial } = await domain.now();
    const asked = resolver.asked.filter((one) => one === `${target} A`).length;
    await until(() => resolver.asked.filter((one) => one === `${target} A`).length >= asked + 2);
    expect((await domain.now()).serial).toBe(serial);
    resolver.say(target, [TWO, SIX]);
    await until(async () => (await addressesAt(domain)).includes(SIX));
    expect(await addressesAt(domain)).toEqual([TWO, SIX].sort());
  });

  it('24.3 asks again when the TTL ends, also without an AAAA record and its negative TTL', async () => {
    resolver.ttl = 3600;
    const { target } = await service.following([ONE]);
    const asked = (): number => resolver.asked.filter((one) => one === `${target} A`).length;
    const before = asked();
    // Longer than `min_interval`.
    await delay(2500);
    expect(asked()).toBe(before);
  });

  it('24.3 asks once for a target of many names', async () => {
    const [domain, target] = [await newDomain(service), `lb.${freshName()}`];
    resolver.say(target, [ONE]);
    for (const label of ['a', 'b', 'c'])
      await domain.newRecord({ name: domain.at(label), type: 'ALIAS', data: target });
    await until(async () => (await domain.records()).filter(({ type }) => type === 'A').length === 3);
    expect(resolver.asked.filter((one) => one === `${target} A`)).toHaveLength(1);
  });

  it('24.3 changes the addresses with the target and the TTL of the ALIAS', async () => {
    const { domain, id } = await service.following([ONE]);
    const other = `lb.${freshName()}`;
    resolver.say(other, [TWO]);
    await domain.update(id, { data: other, ttl: 99 }).expect(200);
    await until(async () => (await addressesAt(domain)).includes(TWO));
    expect(await addressesAt(domain)).toEqual([TWO]);
    expect((await domain.records()).find(({ type }) => type === 'A')?.ttl).toBe(99);
  });
});

describe('24.5 a target without addresses', () => {
  it('24.5 keeps its last ones without an answer, and for a time after NXDOMAIN', async () => {
    const { domain, target } = await service.following([ONE]);
    const asked = (): number => resolver.asked.filter((one) => one === `${target} A`).length;
    resolver.say(target, Rcode.SERVFAIL);
    const before = asked();
    await until(() => asked() > before);
    expect(await addressesAt(domain)).toEqual([ONE]);
  });

  it('24.5 loses them when it does not exist for longer', async () => {
    const { domain, target } = await service.following([ONE]);
    resolver.say(target, Rcode.NXDOMAIN);
    await until(async () => (await addressesAt(domain)).length === 0);
    resolver.say(target, [TWO]);
  });
});

describe('24.9 a target in a domain of the same tenant', () => {
  it('24.9 is followed at once, without a query', async () => {
    const [domain, other] = [await newDomain(service), await newDomain(service)];
    const host = await other.newRecord({ name: other.at('www'), data: '10.0.0.1' });
    await domain.newRecord({ name: domain.name, type: 'ALIAS', data: other.at('www') });
    await until(async () => (await addressesAt(domain)).includes('10.0.0.1'));
    const begun = performance.now();
    await other.update(host.id, { data: TWO }).expect(200);
    await until(async () => (await addressesAt(domain)).includes(TWO));
    expect(performance.now() - begun).toBeLessThan(5000);
    await other.delete(host.id).expect(200);
    await until(async () => (await addressesAt(domain)).length === 0);
    expect(resolver.asked.filter((one) => one.includes(other.name))).toEqual([]);
  });

  it('24.9 asks the resolver for a domain of another tenant', async () => {
    const [domain, other] = [await newDomain(service), await newDomain(service.as('tenant-b'))];
    await other.newRecord({ name: other.at('www'), data: TWO });
    resolver.say(other.at('www'), [ONE]);
    await domain.newRecord({ name: domain.name, type: 'ALIAS', data: other.at('www') });
    await until(async () => (await addressesAt(domain)).length > 0);
    expect(await addressesAt(domain)).toEqual([ONE]);
  });

  it('24.9 has no addresses in a loop', async () => {
    const { domain, id, target } = await service.following([ONE]);
    await domain.newRecord({ name: domain.at('b'), type: 'ALIAS', data: domain.name });
    await until(async () => (await addressesAt(domain, domain.at('b'))).length === 1);
    await domain.update(id, { data: domain.at('b') }).expect(200);
    await until(
      async () => (await addressesAt(domain)).length === 0 && (await addressesAt(domain, domain.at('b'))).length === 0,
    );
    await domain.update(id, { data: target }).expect(200);
    await until(async () => (await addressesAt(domain, domain.at('b'))).length === 1);
  });
});

describe('24.11 the state of targets', () => {
  interface Aliases {
    readonly aliases: readonly {
      readonly state: string;
      readonly problem: string | null;
      readonly addresses: string[];
    }[];
    readonly next: string | null;
  }

  it('24.11, 24.5, 15.7 shows addresses and problems', async () => {
    const { domain, target } = await service.following([ONE, SIX]);
    const bad = `lb.${freshName()}`;
    resolver.say(bad, ['10.0.0.1']);
    await domain.newRecord({ name: domain.at('b'), type: 'ALIAS', data: bad });
    const list = (): Promise<Aliases> => bodyOf<Aliases>(service.call('get', `/v1/domains/${domain.id}/aliases`));
    await until(async () => (await list()).aliases[1]?.state === 'refused');
    const { aliases, next } = await list();
    expect(aliases[0]).toMatchObject({ name: domain.name, target, state: 'resolved', problem: null });
    expect(aliases[0]?.addresses).toEqual([ONE, SIX]);
    expect(aliases[1]?.problem).toBe('it has only addresses that are not public');
    expect(next).toBeNull();
    const at = (name: string): Promise<Aliases> =>
      bodyOf<Aliases>(service.call('get', `/v1/domains/${domain.id}/aliases?name=${name}`));
    expect(await at(domain.at('B'))).toEqual({ aliases: [aliases[1]], next: null });
    expect(await at(domain.at('a'))).toEqual({ aliases: [], next: null });
    const { warnings } = await bodyOf<{ readonly warnings: readonly object[] }>(
      service.call('get', `/v1/domains/${domain.id}/check`),
    );
    expect(warnings).toEqual([
      {
        ...{ name: domain.at('b'), type: 'ALIAS', kind: 'alias_without_addresses', text: bad },
        message: `The target ${bad} has no usable addresses: it has only addresses that are not public. The name has no addresses.`,
      },
    ]);
    await refusalOf(service.as('tenant-b').call('get', `/v1/domains/${domain.id}/aliases`), 404, 'domain_not_found');
  });
});
