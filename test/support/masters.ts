import { join } from 'node:path';
import { DomainName } from '../../src/dns/name.js';
import { type PrimaryServer, type PrimarySoftware, startPrimary } from './primary-servers.js';

/** For software that is always given one. */
const KEY = {
  name: DomainName.parse('unused.'),
  algorithm: 'hmac-sha256',
  secret: Buffer.from('a secret of thirty-two octets!!!'),
} as const;

/** Name servers that everybody may transfer example.org from, by the port that they notify. */
export const MASTERS: Readonly<Record<'named' | 'knotd', (notified: number) => PrimarySoftware>> = {
  named: (notified) => ({
    name: 'named',
    needs: { named: 'bind9' },
    command: '/usr/sbin/named',
    parameters: (directory) => ['-g', '-c', join(directory, 'conf')],
    configuration: ({ directory, port }) => `
options {
  directory "${directory}";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  pid-file none; session-keyfile none; lock-file none;
  recursion no; dnssec-validation no; check-names primary ignore; check-integrity no;
  notify explicit; also-notify port ${notified} { 127.0.0.1; }; notify-delay 0;
  ixfr-from-differences yes;
};
controls {};
zone "example.org" { type primary; file "zone"; allow-transfer { any; }; };
`,
  }),
  knotd: (notified) => ({
    name: 'knotd',
    needs: { knotd: 'knot' },
    command: '/usr/sbin/knotd',
    parameters: (directory) => ['-c', join(directory, 'conf')],
    configuration: ({ directory, port }) => `
server:
    rundir: "${directory}"
    listen: 127.0.0.1@${port}
database:
    storage: "${directory}"
remote:
  - id: service
    address: 127.0.0.1@${notified}
acl:
  - id: transfers
    address: 127.0.0.1
    action: transfer
zone:
  - domain: example.org
    file: "${join(directory, 'zone')}"
    acl: transfers
    notify: service
`,
  }),
};

/** A master with this zone that notifies that port of changes. */
export function startMaster(name: keyof typeof MASTERS, zone: string, notified: number): Promise<PrimaryServer> {
  return startPrimary(MASTERS[name](notified), zone, KEY);
}
