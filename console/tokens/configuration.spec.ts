import { describe, expect, it } from '@jest/globals';
import { CLIENTS, CLIENT_IDS, clientsUsing, enabledProtocols, type Protocol } from './clients.js';
import { configurationOf } from './configuration.js';
import type { Setup } from './setup.js';

const SETUP: Setup = {
  server: '2001:db8::53',
  port: 5353,
  url: 'https://dns.example.net/zw',
  keystone: 'https://keystone.example.net/v3',
  keyName: 'key-1.example.org.',
  secret: 'SECRET/1+a=',
  names: ['www.example.org', '*.lan.example.org'],
  zones: ['example.org'],
  email: "o'neil@example.org",
};
const UNLIMITED = { domains: null, labels: null, names: null, types: null, actions: null, networks: null };
const OFF = { dns_updates: null, powerdns_api: false, external_dns: false, openstack_auth_url: null } as Parameters<
  typeof enabledProtocols
>[0]['service'];

const pairs = CLIENT_IDS.flatMap((client) => CLIENTS[client].protocols.map((protocol) => [client, protocol] as const));
const textOf = (...[client, protocol]: (typeof pairs)[number]): string =>
  configurationOf(client, protocol, SETUP)
    .map(({ text }) => text)
    .join('');

describe('the configuration of a client', () => {
  it.each(pairs.filter(([, protocol]) => protocol !== 'openstack'))(
    '22.9 of %s by %s has the secret and the address of the service',
    (client, protocol) => {
      const text = textOf(client, protocol);
      expect(text).toContain(protocol === 'webhook' ? 'SECRET%2F1+a%3D' : 'SECRET/1+a=');
      expect(text).toContain(protocol === 'update' ? '2001:db8::53' : 'dns.example.net');
      expect(text).not.toMatch(/undefined|null|\[object/);
    },
  );

  it('22.9 quotes values for the shell', () => {
    expect(textOf('lego', 'update')).toContain(String.raw`--email 'o'\''neil@example.org'`);
    expect(textOf('lego', 'update')).toContain("RFC2136_NAMESERVER='[2001:db8::53]:5353'");
  });

  it('22.9 is offered for interfaces that are switched on', () => {
    expect(enabledProtocols({ service: OFF, limits: UNLIMITED })).toEqual([]);
    const service = { ...OFF, powerdns_api: true, external_dns: true, dns_updates: { address: '::', port: 53 } };
    expect(enabledProtocols({ service, limits: UNLIMITED })).toEqual(['webhook', 'update', 'powerdns']);
    expect(enabledProtocols({ service, limits: { ...UNLIMITED, types: ['TXT'] } })).toEqual(['webhook', 'powerdns']);
  });

  it('22.9 has tabs for the clients that can use the same credential', () => {
    const tabs = (protocol: Protocol) => clientsUsing('lego', protocol);
    expect(tabs('update')).toEqual(['lego', 'certbot', 'acmeSh', 'certManager', 'nsupdate']);
    expect(tabs('powerdns')).toEqual(['lego', 'certbot', 'acmeSh', 'certManager']);
  });
});
