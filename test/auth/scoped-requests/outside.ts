import { randomUUID } from 'node:crypto';
import { freshName, TestDomain } from '../../support/domain.js';
import {
  change,
  CHANGES,
  IMPORT,
  importing,
  inside,
  manyChallenges,
  RECORD,
  RECORDS,
  REVERT,
  SET,
  SETS,
  setsOf,
  type Way,
} from './way.js';

/** Requests that a challenge token may not send: refused. */
export const OUTSIDE: readonly Way[] = [
  {
    route: RECORDS,
    what: 'a record of another type',
    send: (client, { domain }) =>
      new TestDomain(client, domain).create({ name: domain.at('_acme-challenge'), type: 'A', data: '192.0.2.9' }),
  },
  {
    route: RECORDS,
    what: 'a record at another name',
    send: (client, { domain }) =>
      new TestDomain(client, domain).create({ name: domain.at('www'), type: 'TXT', data: 'x' }),
  },
  {
    route: RECORDS,
    what: 'a record that is there already',
    send: (client, { domain, www: { name, type, data } }) =>
      new TestDomain(client, domain).create({ name, type, data }),
  },
  {
    route: RECORDS,
    what: 'a record where none may stand',
    send: (client, { domain }) =>
      new TestDomain(client, domain).create({ name: domain.at('www'), type: 'CNAME', data: 'a.example.' }),
  },
  {
    route: `put ${RECORD}`,
    what: 'a change of a record inside',
    send: (client, { domain, challenge }) => new TestDomain(client, domain).update(challenge.id, { data: 'changed' }),
  },
  {
    route: `put ${RECORD}`,
    what: 'an update that changes nothing',
    send: (client, { domain, www }) => new TestDomain(client, domain).update(www.id, {}),
  },
  {
    route: `put ${RECORD}`,
    what: 'another type',
    send: (client, { domain, www }) => new TestDomain(client, domain).update(www.id, { type: 'TXT', data: 'x' }),
  },
  {
    route: `delete ${RECORD}`,
    what: 'a record outside',
    send: (client, { domain, www }) => new TestDomain(client, domain).delete(www.id),
  },
  {
    route: CHANGES,
    what: 'one entry of many',
    send: change((world) => [inside(world), { action: 'delete', id: world.www.id }]),
  },
  {
    route: CHANGES,
    what: 'one entry of many, whatever else is wrong',
    send: change((world) => [
      { action: 'delete', id: randomUUID() },
      { action: 'delete', id: world.www.id },
    ]),
  },
  {
    route: CHANGES,
    what: 'a dry run',
    send: change((world) => [inside(world), { action: 'delete', id: world.www.id }], '?dry_run=true'),
  },
  {
    route: CHANGES,
    what: 'a record set that stays as it is',
    send: change(({ www: { name, type, data, ttl } }) => [{ action: 'replace', name, type, records: [{ data, ttl }] }]),
  },
  {
    route: CHANGES,
    what: 'a record set that is removed',
    send: change(({ www: { name, type } }) => [{ action: 'replace', name, type, records: [] }]),
  },
  {
    route: IMPORT,
    what: 'one line of a file',
    send: importing(() => '_acme-challenge 300 TXT one\nwww 300 A 192.0.2.9\n'),
  },
  { route: IMPORT, what: 'another ttl', send: importing(({ www: { data } }) => `www 77 A ${data}\n`) },
  {
    route: IMPORT,
    what: 'what a file lacks',
    send: importing(({ challenge: { name } }) => `${name} 300 TXT a-value\n`, '?mode=replace'),
  },
  { route: IMPORT, what: 'a file that is only tried', send: importing(() => 'www 300 A 192.0.2.9\n', '?dry_run=true') },
  {
    route: IMPORT,
    what: 'a file that is compared',
    send: importing(() => 'www 300 A 192.0.2.9\n', '?dry_run=true&diff=true'),
  },
  {
    route: IMPORT,
    what: 'one line of a large file',
    send: importing(({ domain }) => `${manyChallenges(domain)}www 300 A 192.0.2.9\n`),
  },
  {
    route: REVERT,
    what: 'a reversion that takes a record away',
    send: (client, { domain, firstSerial }) =>
      client.call('post', `/v1/domains/${domain.id}/revert`, { serial: firstSerial }),
  },
  {
    route: 'post /v1/domains',
    what: 'a new domain',
    send: (client) => client.call('post', '/v1/domains', { name: freshName(), email: 'a@example.org' }),
  },
  {
    route: 'post /v1/domains',
    what: 'a domain that is there already',
    send: (client, { domain }) => client.call('post', '/v1/domains', { name: domain.name, email: 'a@example.org' }),
  },
  {
    route: 'put /v1/domains/{domain_id}',
    what: 'the domain itself',
    send: (client, { domain }) => client.call('put', `/v1/domains/${domain.id}`, { ttl: 77 }),
  },
  {
    route: 'delete /v1/domains/{domain_id}',
    what: 'the domain itself',
    send: (client, { domain }) => client.call('delete', `/v1/domains/${domain.id}`),
  },
  {
    route: 'post /v1/tokens',
    what: 'a token that may do more',
    send: (client) => client.call('post', '/v1/tokens', { types: ['TXT', 'A'] }),
  },
  {
    route: SETS,
    what: 'a set of another type',
    send: (client, world) =>
      client.call('post', setsOf(world), {
        name: world.domain.at('_acme-challenge'),
        type: 'A',
        records: ['192.0.2.9'],
      }),
  },
  {
    route: SETS,
    what: 'a set that is there already',
    send: (client, world) =>
      client.call('post', setsOf(world), { name: world.www.name, type: 'A', records: ['192.0.2.9'] }),
  },
  {
    route: SETS,
    what: 'a set without records',
    send: (client, world) => client.call('post', setsOf(world), { name: world.domain.at('empty'), type: 'TXT' }),
  },
  {
    route: `put ${SET}`,
    what: 'a set outside',
    send: (client, world) => client.call('put', `${setsOf(world)}/${world.wwwSet}`, { records: ['192.0.2.9'] }),
  },
  {
    route: `put ${SET}`,
    what: 'a set that stays as it is',
    send: (client, world) => client.call('put', `${setsOf(world)}/${world.wwwSet}`, { records: [world.www.data] }),
  },
  {
    route: `put ${SET}`,
    what: 'the ttl of a set inside',
    send: (client, world) => client.call('put', `${setsOf(world)}/${world.challengeSet}`, { ttl: 77 }),
  },
  {
    route: `delete ${SET}`,
    what: 'a set outside',
    send: (client, world) => client.call('delete', `${setsOf(world)}/${world.wwwSet}`),
  },
  {
    route: 'post /v2/zones',
    what: 'a new zone',
    send: (client) => client.call('post', '/v2/zones', { name: freshName(), email: 'a@example.org' }),
  },
  {
    route: 'patch /v2/zones/{zone_id}',
    what: 'the zone itself',
    send: (client, { domain }) => client.call('patch', `/v2/zones/${domain.id}`, { ttl: 77 }),
  },
  {
    route: 'delete /v2/zones/{zone_id}',
    what: 'the zone itself',
    send: (client, { domain }) => client.call('delete', `/v2/zones/${domain.id}`),
  },
  {
    route: 'post /v2/zones',
    what: 'a new zone of others',
    send: (client) =>
      client.call('post', '/v2/zones', { name: freshName(), type: 'SECONDARY', masters: ['192.0.2.53'] }),
  },
  {
    route: 'post /v2/zones/{zone_id}/shares',
    what: 'a share of the zone',
    send: (client, { domain }) =>
      client.call('post', `/v2/zones/${domain.id}/shares`, { target_project_id: 'neighbours' }),
  },
  {
    route: 'delete /v2/zones/{zone_id}/shares/{share_id}',
    what: 'the end of a share',
    send: (client, { domain, shareOfDomain }) =>
      client.call('delete', `/v2/zones/${domain.id}/shares/${shareOfDomain}`),
  },
  {
    route: 'post /v2/zones/{zone_id}/tasks/abandon',
    what: 'to abandon the zone',
    send: (client, { domain }) => client.call('post', `/v2/zones/${domain.id}/tasks/abandon`),
  },
  {
    route: 'post /v2/zones/{zone_id}/tasks/xfr',
    what: 'a transfer',
    send: (client, { domain }) => client.call('post', `/v2/zones/${domain.id}/tasks/xfr`),
  },
  {
    route: 'post /v2/zones/{zone_id}/tasks/export',
    what: 'an export for later',
    send: (client, { domain }) => client.call('post', `/v2/zones/${domain.id}/tasks/export`),
  },
  {
    route: 'post /v2/zones/{zone_id}/tasks/transfer_requests',
    what: 'an offer of the zone',
    send: (client, { domain }) => client.call('post', `/v2/zones/${domain.id}/tasks/transfer_requests`, {}),
  },
  {
    route: 'post /v2/zones/tasks/imports',
    what: 'an import for later',
    send: (client, { domain }) =>
      client
        .call('post', '/v2/zones/tasks/imports')
        .set('Content-Type', 'text/dns')
        .send(`$ORIGIN new.${domain.name}\n@ 300 SOA ns. a. 1 2 3 4 5\n_acme-challenge 300 TXT x\n`),
  },
];
