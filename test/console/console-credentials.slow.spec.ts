import { X509Certificate } from 'node:crypto';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { AcmeDirectory } from '../support/acme-directory.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { AUDIT_ON } from '../support/audit-entries.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { itWith, type Program, type Run } from '../support/run-program.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { TAKES_UPDATES } from '../support/updates.js';
import { Person } from './person.js';
import { expectQuietLeave } from './walks.js';

const CERTBOT: Program = {
  name: 'certbot-dns-rfc2136',
  needs: {
    certbot: 'certbot',
    '/usr/lib/python3/dist-packages/certbot_dns_rfc2136': 'python3-certbot-dns-rfc2136',
    openssl: 'openssl',
  },
};
const LEGO: Program = { name: 'lego', needs: { lego: 'lego', openssl: 'openssl' } };
const NSUPDATE: Program = { name: 'nsupdate', needs: { nsupdate: 'bind9-dnsutils' } };
const KEA: Program = { name: "Kea's D2", needs: { '/usr/sbin/kea-dhcp-ddns': 'kea-dhcp-ddns-server' } };
const PATIENCE = 240_000;

interface KeyList {
  readonly update_keys: readonly { readonly name: string; readonly description: string | null }[];
}

describeWithBrowser('clients of the console', () => {
  let service: TokenService;
  let member: TokenClient;
  let authority: AcmeDirectory;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  let directory: string;
  beforeAll(async () => {
    service = await startTokenService({
      ...TAKES_UPDATES,
      ...AUDIT_ON,
      SERVICE_MDNS__LISTEN: `127.0.0.1:${await freePort()}`,
      SERVICE_MDNS__ALLOW_QUERY: '127.0.0.1',
      SERVICE_POWERDNS__ENABLED: 'True',
    });
    authority = await AcmeDirectory.start(textsAt);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await authority.stop();
    await service.stop();
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-console-'));
    member = await service.newToken({ description: 'Anna' });
    zone = await newDomain(member);
    person = await Person.at(browser, service.url);
  });
  afterEach(async () => {
    await rm(directory, { recursive: true });
    await expectQuietLeave(person);
  });

  async function textsAt(name: string): Promise<readonly string[]> {
    const wanted = name.endsWith('.') ? name : `${name}.`;
    const found = (await zone.records()).filter((record) => record.type === 'TXT' && record.name === wanted);
    return found.map(({ data }) => data.slice(1, -1));
  }

  const keys = async (): Promise<KeyList['update_keys']> =>
    (await bodyOf<KeyList>(member.call('get', '/v1/update-keys'))).update_keys;
  const hosts = (): string[] => [zone.name.slice(0, -1), `*.${zone.name.slice(0, -1)}`];

  async function chooseClient(client: string): Promise<Locator> {
    await person.button('New token or key').click();
    const dialog = person.dialog('New token or key');
    await dialog.getByRole('radio', { name: client, exact: true }).check();
    return dialog;
  }

  async function createKey(client: string, label: string, names: readonly string[]): Promise<Locator> {
    await person.comeTo('/tokens', member.token);
    const dialog = await chooseClient(client);
    await dialog.getByLabel(label).fill(names.join('\n'));
    await dialog.getByRole('button', { name: 'Create update key' }).click();
    const made = person.dialog('Update key created');
    await made.waitFor();
    return made;
  }

  /** Saves the files of a tab as a user would, and returns its commands. */
  async function saveConfiguration(made: Locator, client: string): Promise<string> {
    await made.getByRole('tab', { name: client, exact: true }).click();
    const parts = made.getByRole('tabpanel', { name: client, exact: true }).getByRole('region');
    let commands = '';
    for (const part of await parts.all()) {
      const title = await part.getByRole('heading').innerText();
      const text = (await part.getByRole('code').textContent()) ?? '';
      if (title === 'Commands') commands = text;
      else await writeFile(join(directory, title), text);
    }
    return commands;
  }

  /** Runs commands in the directory. A program is run with more arguments, before or after those of the user. */
  async function runCommands(commands: string, { program = '', before = '', after = '' } = {}): Promise<Run> {
    const bin = join(directory, 'bin');
    await mkdir(bin, { recursive: true });
    if (program !== '') {
      await writeFile(join(bin, program), `#!/bin/sh\nexec /usr/bin/${program} ${before} "$@" ${after}\n`);
      await chmod(join(bin, program), 0o755);
    }
    const env = {
      PATH: `${bin}:${process.env.PATH ?? ''}:/usr/sbin`,
      HOME: directory,
      LANG: 'C.UTF-8',
      RFC2136_SEQUENCE_INTERVAL: '1',
      RFC2136_POLLING_INTERVAL: '1',
      LEGO_DISABLE_CNAME_SUPPORT: 'true',
      KEA_PIDFILE_DIR: directory,
      KEA_LOCKFILE_DIR: 'none',
    };
    return new Promise((end) => {
      const options = { cwd: directory, env, timeout: PATIENCE };
      execFile('sh', ['-e', '-c', commands], options, (error, stdout, stderr) =>
        end({ failed: error !== null, stdout, output: [error?.message, stdout, stderr].filter(Boolean).join('\n') }),
      );
    });
  }

  async function expectCertificate(path: string): Promise<void> {
    const certificate = new X509Certificate(await readFile(join(directory, path)));
    expect(await authority.hasSigned(certificate)).toBe(true);
    expect(certificate.subjectAltName).toContain(`DNS:${hosts()[1] ?? ''}`);
    expect(await zone.records()).toEqual([]);
  }

  it('22.9 creates nothing for names outside of the zones, and gives the reasons', async () => {
    await person.comeTo('/tokens/new?client=certbot', member.token);
    const dialog = person.dialog('New token or key');
    const create = dialog.getByRole('button', { name: 'Create update key' });
    await create.click();
    await dialog.getByText('Enter the host names of the certificate').waitFor();
    await dialog.getByLabel('Host names').fill(`www.not-mine.example\nfoo bar\n${zone.at('www')}`);
    await create.click();
    await dialog.getByText('www.not-mine.example is not in any of your zones').waitFor();
    await dialog.getByText('“foo bar” is not a host name').waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    expect(await keys()).toEqual([]);
  });

  itWith(CERTBOT)(
    '22.9 a developer gets a certificate with certbot and the configuration of the console',
    async () => {
      const made = await createKey('certbot', 'Host names', hosts());
      expect(await person.seriousFaultsInBothThemes()).toEqual([]);
      const secret = await made.getByRole('textbox', { name: 'Secret' }).inputValue();
      const commands = await saveConfiguration(made, 'certbot');
      const folders = ['config', 'work', 'logs'].map((folder) => `--${folder}-dir ${join(directory, folder)}`);
      const account = `--non-interactive --agree-tos --no-eff-email --server ${authority.url}`;
      const after = `${account} ${folders.join(' ')} --dns-rfc2136-propagation-seconds 0`;
      const { failed, output } = await runCommands(commands, { program: 'certbot', after });
      expect([failed, output]).toEqual([false, expect.stringContaining('Successfully received certificate')]);
      await expectCertificate(`config/live/${hosts()[0] ?? ''}/cert.pem`);

      await made.getByRole('button', { name: 'Done' }).click();
      expect(await person.page.content()).not.toContain(secret);
      const [key] = await keys();
      expect(key?.description).toBe(`certbot: ${hosts()[0] ?? ''}`);
      const row = person.page.getByRole('table', { name: 'Update keys' }).getByRole('row');
      await row
        .filter({ hasText: 'certbot:' })
        .getByRole('button', { name: /^Revoke/ })
        .click();
      await person.dialog('Revoke update key').getByRole('button', { name: 'Revoke', exact: true }).click();
      await row.getByText('Revoked').waitFor();
      expect((await runCommands(commands, { program: 'certbot', after: `${after} --force-renewal` })).failed).toBe(
        true,
      );
    },
    PATIENCE,
  );

  itWith(LEGO)(
    '22.9 a developer gets a certificate with the tab of lego',
    async () => {
      const made = await createKey('certbot', 'Host names', hosts());
      const commands = await saveConfiguration(made, 'lego');
      const before = `--accept-tos --server ${authority.url} --dns.disable-cp --path ${directory}`;
      const { failed, output } = await runCommands(commands, { program: 'lego', before });
      expect([failed, output]).toEqual([false, expect.any(String)]);
      await expectCertificate(`certificates/${hosts()[0] ?? ''}.crt`);
    },
    PATIENCE,
  );

  itWith(NSUPDATE)(
    '22.9 nsupdate changes only the entered names',
    async () => {
      const made = await createKey('nsupdate', 'Zones or names', [zone.at('*.lan')]);
      const commands = await saveConfiguration(made, 'nsupdate');
      expect(await runCommands(commands)).toMatchObject({ failed: false });
      const { changes } = await bodyOf<{ changes: { records: object }[] }>(
        member.call('get', `/v1/domains/${zone.id}/changes`),
      );
      expect(changes.slice(0, 2).map(({ records }) => records)).toEqual([
        { created: 0, updated: 0, deleted: 1 },
        { created: 1, updated: 0, deleted: 0 },
      ]);
      const elsewhere = await runCommands(commands.replaceAll(zone.at('host.lan'), zone.at('www')));
      expect(elsewhere.output).toContain('REFUSED');
    },
    PATIENCE,
  );

  itWith(KEA)(
    '22.9 Kea accepts its configuration',
    async () => {
      const made = await createKey('Kea DHCP', 'Zones', [zone.name]);
      expect(await runCommands(await saveConfiguration(made, 'Kea DHCP'))).toMatchObject({ failed: false });
      expect(await readFile(join(directory, 'kea-dhcp-ddns.conf'), 'utf8')).toContain(zone.name);
    },
    PATIENCE,
  );

  it('22.9 creates a token for the PowerDNS API, shows it once, and revokes it', async () => {
    await person.comeTo('/tokens', member.token);
    const dialog = await chooseClient('lego');
    await dialog.getByRole('radio', { name: /PowerDNS API/ }).check();
    await dialog.getByLabel('Host names').fill(zone.at('www'));
    await dialog.getByLabel('Description').fill('<b>certificates</b>');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const made = person.dialog('Token created');
    const token = await made.getByRole('textbox', { name: 'Token' }).inputValue();
    const lego = made.getByRole('tabpanel').getByRole('code');
    await lego.filter({ hasText: `PDNS_API_KEY='${token}'` }).waitFor();
    await lego.filter({ hasText: `--domains '${zone.at('www').slice(0, -1)}'` }).waitFor();
    await made.getByRole('button', { name: 'Done' }).click();
    expect(await person.page.content()).not.toContain(token);

    const acme = service.holding(token);
    const challenge = { type: 'TXT', name: zone.at('_acme-challenge.www'), data: '"proof"' };
    await bodyOf(acme.call('post', `/v1/domains/${zone.id}/records`, challenge));
    await answerOf(acme.call('post', `/v1/domains/${zone.id}/records`, { ...challenge, name: zone.at('other') }), 401);
    const row = person.page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: '<b>' });
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await row.getByRole('button', { name: /^Revoke/ }).click();
    await person.dialog('Revoke token').getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('Revoked').waitFor();
    await answerOf(acme.call('get', `/v1/domains/${zone.id}/records`), 401);
  });

  it('22.9 creates an API token for one of the zones', async () => {
    await person.comeTo('/tokens', member.token);
    const dialog = await chooseClient('API token');
    const create = dialog.getByRole('button', { name: 'Create token' });
    await dialog.getByLabel('Zone', { exact: true }).fill('not-mine.example');
    await create.click();
    await dialog.getByText('not-mine.example is not in any of your zones').waitFor();
    await dialog.getByLabel('Zone', { exact: true }).fill(zone.name);
    await create.click();
    const made = person.dialog('Token created');
    const { failed, stdout } = await runCommands((await made.getByRole('code').textContent()) ?? '');
    expect([failed, stdout]).toEqual([false, expect.stringContaining(zone.name)]);
  });

  it('22.9 offers a limited token no update key', async () => {
    const { token } = await bodyOf<{ token: string }>(member.call('post', '/v1/tokens', { domains: [zone.name] }));
    await person.comeTo('/tokens', token);
    await person.button('New token or key').click();
    const dialog = person.dialog('New token or key');
    await dialog.getByText('cannot create update keys').waitFor();
    expect(await dialog.getByRole('radio', { name: 'Kea DHCP' }).count()).toBe(0);
    await dialog.getByRole('radio', { name: 'certbot' }).check();
    await dialog.getByRole('button', { name: 'Create token' }).waitFor();
    expect(await person.page.getByRole('table', { name: 'Update keys' }).count()).toBe(0);
  });

  it('22.10 shows the description of a token in the audit log', async () => {
    await zone.newRecord();
    const admin = await service.newToken({ tenantId: 'admin', roles: ['admin'] });
    await person.comeTo(`/audit?domain=${zone.name}`, admin.token);
    const entries = person.page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await entries.filter({ hasText: 'record.create' }).filter({ hasText: 'Anna' }).waitFor();
  });
});

describeWithBrowser('a service without other interfaces', () => {
  it('22.9 offers API tokens, and names the options that enable the interfaces', async () => {
    const service = await startTokenService();
    const browser = await openBrowser();
    try {
      const person = await Person.at(browser, service.url);
      await person.comeTo('/tokens/new', (await service.newToken()).token);
      const dialog = person.dialog('New token or key');
      await dialog.getByText('[service:mdns] enabled = True and updates = True').waitFor();
      await dialog.getByText('[service:powerdns] enabled = True').waitFor();
      expect(await dialog.getByRole('radio').count()).toBe(1);
      await person.leave();
    } finally {
      await browser.close();
      await service.stop();
    }
  });
});
