import type { Protocol } from './clients.js';
import { commands, file, KEY_FILE, keyFile, type Part, quoted, type Setup } from './setup.js';

type RecordClient = 'externalDns' | 'terraform' | 'octoDns' | 'nsupdate' | 'kea';

export function recordConfiguration(client: RecordClient, protocol: Protocol, setup: Setup): readonly Part[] {
  switch (client) {
    case 'externalDns':
      return [externalDnsBy(protocol)(setup)];
    case 'terraform':
      return terraform(protocol, setup);
    case 'octoDns':
      return octoDns(protocol === 'update', setup);
    case 'nsupdate':
      return nsupdate(setup);
    case 'kea':
      return kea(setup);
  }
}

/** A name that the credential may change, for examples. */
function exampleName({ names, zones }: Setup): { readonly name: string; readonly zone: string } {
  const [zone = ''] = zones;
  const [first = zone] = names.filter((name) => `.${name}`.endsWith(`.${zone}`));
  const isReverse = zone.endsWith('.arpa');
  return { zone, name: first === zone ? `${isReverse ? '250' : 'www'}.${zone}` : first.replaceAll('*', 'host') };
}

const continued = (...lines: readonly string[]): Part => commands(lines.join(' \\\n  '));

function externalDnsBy(protocol: Protocol): (setup: Setup) => Part {
  if (protocol === 'webhook') return externalDnsWebhook;
  return protocol === 'update' ? externalDns : externalDnsPowerDns;
}

/** The token is the password of the URL, which stays out of the arguments. */
function externalDnsWebhook({ url, secret, zones }: Setup): Part {
  const webhook = new URL(`${url}/external-dns`);
  webhook.username = 'external-dns';
  webhook.password = secret;
  return commands(
    `export EXTERNAL_DNS_WEBHOOK_PROVIDER_URL=${quoted(webhook.href)}`,
    [
      'external-dns --source=service --source=ingress',
      '--provider=webhook',
      "--txt-owner-id='external-dns'",
      "--txt-prefix='%{record_type}-claim.'",
      '--policy=sync --log-level=warning',
      ...zones.map((zone) => `--domain-filter='${zone}'`),
    ].join(' \\\n  '),
  );
}

function externalDns({ server, port, keyName, secret, zones }: Setup): Part {
  return continued(
    'external-dns --source=service --source=ingress',
    '--provider=rfc2136',
    `--rfc2136-host='${server}'`,
    `--rfc2136-port=${port}`,
    ...zones.map((zone) => `--rfc2136-zone='${zone}'`),
    `--rfc2136-tsig-keyname='${keyName}'`,
    `--rfc2136-tsig-secret='${secret}'`,
    '--rfc2136-tsig-secret-alg=hmac-sha256',
    '--rfc2136-tsig-axfr',
    '--rfc2136-min-ttl=60s',
    ...zones.map((zone) => `--domain-filter='${zone}'`),
  );
}

function externalDnsPowerDns({ url, secret, zones }: Setup): Part {
  return continued(
    'external-dns --source=service --source=ingress',
    '--provider=pdns',
    `--pdns-server='${url}'`,
    `--pdns-api-key='${secret}'`,
    ...zones.map((zone) => `--domain-filter='${zone}'`),
  );
}

const provider = (name: string, source: string): readonly string[] => [
  'terraform {',
  '  required_providers {',
  `    ${name} = {`,
  `      source = "${source}"`,
  '    }',
  '  }',
  '}',
  '',
];

function terraform(protocol: Protocol, setup: Setup): readonly Part[] {
  switch (protocol) {
    case 'update':
      return [terraformDns(setup), commands('terraform init', 'terraform apply')];
    case 'powerdns':
      return [terraformPowerDns(setup), commands('terraform init', 'terraform apply')];
    default:
      return terraformOpenStack(setup);
  }
}

function terraformDns(setup: Setup): Part {
  const { zone, name } = exampleName(setup);
  return file(
    'zonewright.tf',
    ...provider('dns', 'hashicorp/dns'),
    'provider "dns" {',
    '  update {',
    `    server        = "${setup.server}"`,
    `    port          = ${setup.port}`,
    `    key_name      = "${setup.keyName}"`,
    '    key_algorithm = "hmac-sha256"',
    `    key_secret    = "${setup.secret}"`,
    '  }',
    '}',
    '',
    'resource "dns_a_record_set" "example" {',
    `  zone      = "${zone}."`,
    `  name      = "${name.slice(0, -zone.length - 1)}"`,
    '  addresses = ["192.0.2.10"]',
    '  ttl       = 300',
    '}',
  );
}

function terraformPowerDns(setup: Setup): Part {
  const { zone, name } = exampleName(setup);
  return file(
    'zonewright.tf',
    ...provider('powerdns', 'pan-net/powerdns'),
    'provider "powerdns" {',
    `  server_url = "${setup.url}"`,
    `  api_key    = "${setup.secret}"`,
    '}',
    '',
    'resource "powerdns_record" "example" {',
    `  zone    = "${zone}."`,
    `  name    = "${name}."`,
    '  type    = "A"',
    '  ttl     = 300',
    '  records = ["192.0.2.10"]',
    '}',
  );
}

/** With an application credential of Keystone. */
function terraformOpenStack(setup: Setup): readonly Part[] {
  const { zone, name } = exampleName(setup);
  return [
    file(
      'zonewright.tf',
      ...provider('openstack', 'terraform-provider-openstack/openstack'),
      'provider "openstack" {',
      `  auth_url = "${setup.keystone}"`,
      '}',
      '',
      'data "openstack_dns_zone_v2" "example" {',
      `  name = "${zone}."`,
      '}',
      '',
      'resource "openstack_dns_recordset_v2" "example" {',
      '  zone_id = data.openstack_dns_zone_v2.example.id',
      `  name    = "${name}."`,
      '  type    = "A"',
      '  ttl     = 300',
      '  records = ["192.0.2.10"]',
      '}',
    ),
    commands(
      'openstack application credential create zonewright',
      "export OS_APPLICATION_CREDENTIAL_ID='ID'",
      "export OS_APPLICATION_CREDENTIAL_SECRET='SECRET'",
      'terraform init',
      'terraform apply',
    ),
  ];
}

function octoDns(isUpdate: boolean, setup: Setup): readonly Part[] {
  const { protocol, hostname, port } = new URL(setup.url);
  const isSecure = protocol === 'https:';
  const target = isUpdate
    ? [
        '    class: octodns_bind.Rfc2136Provider',
        `    host: "${setup.server}"`,
        `    port: ${setup.port}`,
        `    key_name: "${setup.keyName}"`,
        `    key_secret: "${setup.secret}"`,
        '    key_algorithm: hmac-sha256',
      ]
    : [
        '    class: octodns_powerdns.PowerDnsProvider',
        `    scheme: ${isSecure ? 'https' : 'http'}`,
        `    host: "${hostname}"`,
        `    port: ${port === '' ? (isSecure ? '443' : '80') : port}`,
        `    api_key: "${setup.secret}"`,
      ];
  return [
    file(
      'zonewright.yaml',
      'providers:',
      '  config:',
      '    class: octodns.provider.yaml.YamlProvider',
      '    directory: ./config',
      '  zonewright:',
      ...target,
      'zones:',
      ...setup.zones.flatMap((zone) => [`  ${zone}.:`, '    sources: [config]', '    targets: [zonewright]']),
    ),
    commands(
      `pip install octodns ${isUpdate ? 'octodns-bind' : 'octodns-powerdns'}`,
      'mkdir -p config',
      ...setup.zones.map(
        (zone) => `octodns-dump --config-file zonewright.yaml --output-dir config ${zone}. zonewright`,
      ),
      'octodns-sync --config-file zonewright.yaml',
    ),
  ];
}

/** Adds a TXT record and deletes it again. */
function nsupdate(setup: Setup): readonly Part[] {
  const { zone, name } = exampleName(setup);
  return [
    keyFile(setup),
    commands(
      `chmod 600 ${KEY_FILE}`,
      `nsupdate -k ${KEY_FILE} <<'END'`,
      `server ${setup.server} ${setup.port}`,
      `zone ${zone}.`,
      `update add ${name}. 60 TXT "zonewright-test"`,
      'send',
      `update delete ${name}. TXT "zonewright-test"`,
      'send',
      'END',
    ),
  ];
}

/** D2, and the settings of the DHCP server that send to it. */
function kea(setup: Setup): readonly Part[] {
  const { server, port, keyName, secret, zones } = setup;
  const domain = (zone: string) => ({
    name: `${zone}.`,
    'key-name': keyName,
    'dns-servers': [{ 'ip-address': server, port }],
  });
  const isReverse = (zone: string): boolean => zone.endsWith('.arpa');
  const d2 = {
    DhcpDdns: {
      'ip-address': '127.0.0.1',
      port: 53001,
      'tsig-keys': [{ name: keyName, algorithm: 'HMAC-SHA256', secret }],
      'forward-ddns': { 'ddns-domains': zones.filter((zone) => !isReverse(zone)).map(domain) },
      'reverse-ddns': { 'ddns-domains': zones.filter(isReverse).map(domain) },
    },
  };
  const [suffix = ''] = zones.filter((zone) => !isReverse(zone));
  const dhcp = {
    'dhcp-ddns': { 'enable-updates': true, 'server-ip': '127.0.0.1', 'server-port': 53001 },
    'ddns-send-updates': true,
    'ddns-qualifying-suffix': `${suffix}.`,
  };
  return [
    file('kea-dhcp-ddns.conf', JSON.stringify(d2, null, 2)),
    { ...file('kea-dhcp4.conf', JSON.stringify({ Dhcp4: dhcp }, null, 2)), isFragment: true },
    commands('kea-dhcp-ddns -t kea-dhcp-ddns.conf'),
  ];
}
