import { commands, endpoint, file, KEY_FILE, keyFile, type Part, quoted, type Setup } from './setup.js';

type AcmeClient = 'certbot' | 'lego' | 'acmeSh' | 'certManager';

/** @param isUpdate DNS UPDATE; otherwise the PowerDNS API */
export function certificateConfiguration(client: AcmeClient, isUpdate: boolean, setup: Setup): readonly Part[] {
  switch (client) {
    case 'certbot':
      return isUpdate ? certbot(setup) : certbotPowerDns(setup);
    case 'lego':
      return [isUpdate ? lego(setup) : legoPowerDns(setup)];
    case 'acmeSh':
      return isUpdate ? acmeSh(setup) : [acmeShPowerDns(setup)];
    case 'certManager':
      return isUpdate ? certManager(setup) : certManagerPowerDns(setup);
  }
}

const each = (option: string, names: readonly string[]): string =>
  names.map((name) => ` ${option} ${quoted(name)}`).join('');

function certbot({ server, port, keyName, secret, names, email }: Setup): readonly Part[] {
  return [
    file(
      'rfc2136.ini',
      `dns_rfc2136_server = ${server}`,
      `dns_rfc2136_port = ${port}`,
      `dns_rfc2136_name = ${keyName}`,
      `dns_rfc2136_secret = ${secret}`,
      'dns_rfc2136_algorithm = HMAC-SHA256',
    ),
    commands(
      'chmod 600 rfc2136.ini',
      `certbot certonly --email ${quoted(email)} --dns-rfc2136 --dns-rfc2136-credentials rfc2136.ini${each('-d', names)}`,
    ),
  ];
}

/** The plugin certbot-dns-pdns. */
function certbotPowerDns({ url, secret, names, email }: Setup): readonly Part[] {
  return [
    file(
      'pdns.ini',
      `dns_pdns_endpoint = ${url}`,
      `dns_pdns_api_key = ${secret}`,
      'dns_pdns_server_id = localhost',
      'dns_pdns_disable_notify = true',
    ),
    commands(
      'pip install certbot-dns-pdns',
      'chmod 600 pdns.ini',
      `certbot certonly --email ${quoted(email)} --authenticator dns-pdns --dns-pdns-credentials pdns.ini${each('-d', names)}`,
    ),
  ];
}

function lego(setup: Setup): Part {
  const { keyName, secret, names, email } = setup;
  return commands(
    `export RFC2136_NAMESERVER='${endpoint(setup)}'`,
    `export RFC2136_TSIG_KEY='${keyName}'`,
    "export RFC2136_TSIG_ALGORITHM='hmac-sha256.'",
    `export RFC2136_TSIG_SECRET='${secret}'`,
    `lego --email ${quoted(email)} --dns rfc2136${each('--domains', names)} run`,
  );
}

function legoPowerDns({ url, secret, names, email }: Setup): Part {
  return commands(
    `export PDNS_API_URL='${url}'`,
    `export PDNS_API_KEY='${secret}'`,
    `lego --email ${quoted(email)} --dns pdns${each('--domains', names)} run`,
  );
}

function acmeSh(setup: Setup): readonly Part[] {
  const { server, port, names } = setup;
  return [
    keyFile(setup),
    commands(
      `chmod 600 ${KEY_FILE}`,
      `export NSUPDATE_SERVER='${server}'`,
      `export NSUPDATE_SERVER_PORT='${port}'`,
      `export NSUPDATE_KEY="$PWD/${KEY_FILE}"`,
      `acme.sh --issue --dns dns_nsupdate${each('-d', names)}`,
    ),
  ];
}

function acmeShPowerDns({ url, secret, names }: Setup): Part {
  return commands(
    `export PDNS_Url='${url}'`,
    "export PDNS_ServerId='localhost'",
    `export PDNS_Token='${secret}'`,
    "export PDNS_Ttl='60'",
    `acme.sh --issue --dns dns_pdns${each('-d', names)}`,
  );
}

function certManager(setup: Setup): readonly Part[] {
  return issuer(setup, [
    'rfc2136:',
    `  nameserver: "${endpoint(setup)}"`,
    `  tsigKeyName: "${setup.keyName}"`,
    '  tsigAlgorithm: HMACSHA256',
    '  tsigSecretSecretRef:',
    '    name: zonewright',
    '    key: secret',
  ]);
}

/** The webhook of zachomedia, with the group name of its Helm chart. */
function certManagerPowerDns(setup: Setup): readonly Part[] {
  return issuer(setup, [
    'webhook:',
    '  groupName: acme.zacharyseguin.ca',
    '  solverName: pdns',
    '  config:',
    `    host: "${setup.url}"`,
    '    apiKeySecretRef:',
    '      name: zonewright',
    '      key: secret',
  ]);
}

/** The secret, an issuer with this solver, and a certificate, in one namespace. */
function issuer({ secret, email, names }: Setup, solver: readonly string[]): readonly Part[] {
  return [
    file(
      'zonewright.yaml',
      'apiVersion: v1',
      'kind: Secret',
      'metadata:',
      '  name: zonewright',
      'stringData:',
      `  secret: "${secret}"`,
      '---',
      'apiVersion: cert-manager.io/v1',
      'kind: Issuer',
      'metadata:',
      '  name: zonewright',
      'spec:',
      '  acme:',
      '    server: https://acme-v02.api.letsencrypt.org/directory',
      `    email: ${JSON.stringify(email)}`,
      '    privateKeySecretRef:',
      '      name: zonewright-account',
      '    solvers:',
      '      - dns01:',
      ...solver.map((line) => `          ${line}`),
      '---',
      'apiVersion: cert-manager.io/v1',
      'kind: Certificate',
      'metadata:',
      '  name: zonewright',
      'spec:',
      '  secretName: zonewright-tls',
      '  issuerRef:',
      '    name: zonewright',
      '  dnsNames:',
      ...names.map((name) => `    - "${name}"`),
    ),
    commands('kubectl apply -f zonewright.yaml'),
  ];
}
