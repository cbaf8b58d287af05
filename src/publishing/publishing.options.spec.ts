import { describe, expect, it } from '@jest/globals';
import { configurationFiles } from '../../test/support/configuration.js';

const files = configurationFiles();

describe('the options of publishing', () => {
  it('have the documented defaults', () => {
    expect(files.defaults()).toMatchObject({
      mdns: {
        enabled: false,
        listen: { host: '127.0.0.1', port: 5354 },
        tsigKeys: [],
        secondaries: [],
        alsoNotify: [],
        allowTransfer: [],
        updates: false,
        allowQuery: [],
        allowMasters: [],
        resolvers: [],
        catalogZone: null,
        catalogGroup: null,
        copySpace: 256,
        limits: {
          connections: 1000,
          connectionsPerAddress: 100,
          pipelined: 64,
          datagrams: 1000,
          idleTimeout: 10,
          readTimeout: 30,
          transferTimeout: 600,
        },
      },
    });
  });

  it('can all be set', () => {
    const text = `
[service:mdns]
enabled = True
listen = [::]:53
tsig_keys = Transfer.example:HMAC-SHA512:MDEyMzQ1Njc4OWFiY2RlZg==, other:hmac-sha256:MDEyMzQ1Njc4OWFiY2RlZg==
secondaries = 192.0.2.53:53@transfer.example., [2001:db8::53]:5353
also_notify = 192.0.2.54:53
allow_transfer = 192.0.2.0/24@OTHER, 2001:db8::53
updates = True
allow_query = 192.0.2.0/24
allow_masters = 192.0.2.0/24, 2001:db8::53
catalog_zone = catalog.example.
catalog_group = signed
copy_space = 1
max_connections = 1
max_connections_per_address = 2
max_pipelined_queries = 3
max_datagrams = 4
idle_timeout = 5
read_timeout = 6
transfer_timeout = 7
`;
    expect(files.load(text)).toMatchObject({
      mdns: {
        enabled: true,
        listen: { host: '::', port: 53 },
        tsigKeys: [
          { name: 'transfer.example.', algorithm: 'hmac-sha512', secret: 'MDEyMzQ1Njc4OWFiY2RlZg==' },
          { name: 'other.', algorithm: 'hmac-sha256', secret: 'MDEyMzQ1Njc4OWFiY2RlZg==' },
        ],
        secondaries: [
          { address: '192.0.2.53', port: 53, key: 'transfer.example.' },
          { address: '2001:db8::53', port: 5353, key: null },
        ],
        alsoNotify: [{ address: '192.0.2.54', port: 53, key: null }],
        allowTransfer: [
          { network: '192.0.2.0/24', key: 'other.' },
          { network: '2001:db8::53', key: null },
        ],
        updates: true,
        allowQuery: [{ network: '192.0.2.0/24', key: null }],
        allowMasters: ['192.0.2.0/24', '2001:db8::53'],
        resolvers: [],
        catalogZone: 'catalog.example.',
        catalogGroup: 'signed',
        copySpace: 1,
        limits: {
          connections: 1,
          connectionsPerAddress: 2,
          pipelined: 3,
          datagrams: 4,
          idleTimeout: 5,
          readTimeout: 6,
          transferTimeout: 7,
        },
      },
    });
  });
});

describe('keys of name servers', () => {
  const keys = 'tsig_keys = one:hmac-sha256:MDEyMzQ1Njc4OWFiY2RlZg==';

  it.each([
    ['secondaries', '192.0.2.53:53@two'],
    ['also_notify', '192.0.2.53:53@two'],
    ['allow_transfer', '192.0.2.0/24@two'],
    ['allow_query', '192.0.2.0/24@two'],
  ])('are named where they are needed: %s', (name, value) => {
    expect(files.refusal(`[service:mdns]\n${keys}\n${name} = ${value}`)).toBe(
      `FILE:3: [service:mdns] ${name} = "***@two": allowed behind @: the name of a key in [service:mdns] tsig_keys`,
    );
  });

  it('have one secret each, which no message shows', () => {
    const twice = `${keys}, ONE.:hmac-sha512:MDEyMzQ1Njc4OWFiY2RlZg==`;
    expect(files.refusal(`[service:mdns]\n${twice}`)).toBe(
      'FILE:2: [service:mdns] tsig_keys = (not shown): allowed: each name of a key once',
    );
    const short = 'tsig_keys = one:hmac-sha256:c2hvcnQ=';
    expect(files.refusal(`[service:mdns]\n${short}`)).toMatch(/= \(not shown\): allowed: .* at least 16 octets/);
  });
});

describe('name servers of the pool', () => {
  it.each([
    ['192.0.2.53:53', '192.0.2.53:53'],
    ['192.0.2.54:53, 192.0.2.53:53', '192.0.2.53:53'],
    ['[2001:db8::53]:53', '[2001:0DB8:0::53]:53'],
    ['192.0.2.53:53', '[::ffff:192.0.2.53]:53'],
  ])('12.6 are asked for their serials, or only notified: %s and %s', (secondaries, alsoNotify) => {
    expect(files.refusal(`[service:mdns]\nsecondaries = ${secondaries}\nalso_notify = ${alsoNotify}`)).toBe(
      `FILE:3: [service:mdns] also_notify = "${alsoNotify}": ` +
        'an entry is in [service:mdns] secondaries too, which are notified anyway; remove it here',
    );
  });

  it('12.6 may share an address with different ports', () => {
    const text = '[service:mdns]\nsecondaries = 192.0.2.53:53\nalso_notify = 192.0.2.53:5353';
    expect(files.load(text)).toMatchObject({ mdns: { alsoNotify: [{ port: 5353 }] } });
  });

  it.each(['secondaries', 'also_notify'])('12.6 are named once: %s', (option) => {
    expect(files.refusal(`[service:mdns]\n${option} = [2001:db8::53]:53, [2001:DB8::0:53]:53`)).toContain(
      'two entries have one address and port; remove one of them',
    );
  });
});
