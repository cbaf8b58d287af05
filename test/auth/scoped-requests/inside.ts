import { TestDomain } from '../../support/domain.js';
import {
  challengeAt,
  change,
  CHANGES,
  IMPORT,
  importing,
  inside,
  manyChallenges,
  RECORD,
  RECORDS,
  SET,
  SETS,
  setsOf,
  type Way,
} from './way.js';

/** Requests within the scope: permitted. */
export const INSIDE: readonly Way[] = [
  {
    route: RECORDS,
    what: 'a record',
    send: (client, { domain }) => new TestDomain(client, domain).create(challengeAt(domain.at('www'))),
  },
  {
    route: RECORDS,
    what: 'a name in capitals',
    send: (client, { domain }) =>
      new TestDomain(client, domain).create(challengeAt(domain.at('WWW').toUpperCase().replace('_ACME', '_Acme'))),
  },
  {
    route: `delete ${RECORD}`,
    what: 'a record',
    send: (client, { domain, challenge }) => new TestDomain(client, domain).delete(challenge.id),
  },
  {
    route: CHANGES,
    what: 'entries',
    send: change((world) => [inside(world), { action: 'delete', id: world.challenge.id }]),
  },
  { route: CHANGES, what: 'a dry run', send: change((world) => [inside(world)], '?dry_run=true') },
  {
    route: IMPORT,
    what: 'a file',
    send: importing(({ domain }) => `_acme-challenge.www.${domain.name} 300 TXT one\n`),
  },
  { route: IMPORT, what: 'a large file', send: importing(({ domain }) => manyChallenges(domain)) },
  {
    route: SETS,
    what: 'a set',
    send: (client, world) =>
      client.call('post', setsOf(world), {
        name: world.domain.at('_acme-challenge.www'),
        type: 'TXT',
        records: ['"x"'],
      }),
  },
  {
    route: `put ${SET}`,
    what: 'other values of a set',
    send: (client, world) =>
      client.call('put', `${setsOf(world)}/${world.challengeSet}`, { records: ['"x"', world.challenge.data] }),
  },
  {
    route: `delete ${SET}`,
    what: 'a set',
    send: (client, world) => client.call('delete', `${setsOf(world)}/${world.challengeSet}`),
  },
];
