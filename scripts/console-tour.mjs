/** The walk of `npm run docs:console`: what somebody does who makes a zone, changes it, and meets somebody else in it. */
import path from 'node:path';

const ZONE = 'example.org.';
const WIDE = { width: 1000, height: 640 };
const PHONE = { width: 360, height: 720 };

/** Ten types, by the labels of their forms. */
const RECORDS = [
  ['A', { Name: 'www', Address: '192.0.2.80', TTL: '300' }],
  ['AAAA', { Name: 'www', Address: '2001:db8::80', TTL: '300' }],
  ['A', { Name: 'mail', Address: '192.0.2.25' }],
  ['MX', { Name: '@', Preference: '10', Exchange: 'mail.example.org.' }],
  ['TXT', { Name: '@', Text: 'v=spf1 mx -all' }],
  ['CNAME', { Name: 'api', Target: 'www.example.org.' }],
  ['SRV', { Name: '_sip._tcp', Priority: '10', Weight: '5', Port: '5060', Target: 'mail.example.org.' }],
  ['CAA', { Name: '@', Flags: '0', Tag: 'issue', Value: 'letsencrypt.org' }],
  ['SSHFP', { Name: 'mail', Algorithm: '4', 'Fingerprint type': '2', Fingerprint: 'a1'.repeat(32) }],
  ['HTTPS', { Name: '@', Priority: '1', Target: 'www.example.org.' }],
  ['NS', { Name: 'lab', 'Name server': 'ns1.example.net.' }],
];

/** @param {{ browser: import('playwright-core').Browser, pictures: string, url: string, call: Function }} place */
export async function takeTour({ browser, pictures, url, call }) {
  const { token } = await call('POST', '/v1/tokens', { description: 'Anna' });
  const { token: other } = await call('POST', '/v1/tokens', { description: 'deploy' });
  const page = await browser.newPage({ viewport: WIDE, colorScheme: 'light' });
  const on = tools(page, pictures);
  await page.goto(`${url}/console`);
  await signInAndMakeZone(on, token);
  await gatherAndApply(on);
  const [{ id }] = (await call('GET', `/v1/domains?name=${ZONE}`)).domains;
  await meetSomebody(on, () =>
    call('POST', `/v1/domains/${id}/records`, { name: `test.${ZONE}`, type: 'A', data: '192.0.2.66' }, other),
  );
  await lookAround(on, url);
  await page.close();
}

/** What a person does, by roles and names. */
function tools(page, pictures) {
  const button = (name, scope = page) => scope.getByRole('button', { name, exact: true });
  const dialog = (name) => page.getByRole('dialog', { name, exact: true });
  const picture = (name) => page.screenshot({ path: path.join(pictures, `${name}.png`), animations: 'disabled' });
  return {
    ...{ page, button, dialog, picture },
    /** In light, in dark and on a phone. */
    pictures: async (name) => {
      await picture(`${name}-light`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(`${name}-dark`);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(PHONE);
      await picture(`${name}-phone`);
      await page.setViewportSize(WIDE);
    },
    screen: (name) => page.getByRole('navigation', { name: 'Zone' }).getByRole('link', { name, exact: true }).click(),
    review: async () => {
      await button('Review changes').click();
      await page.getByRole('table', { name: 'Changes' }).waitFor();
    },
    apply: async () => {
      await button('Apply', dialog('Plan')).click();
      await page.getByRole('status').filter({ hasText: 'Applied' }).waitFor();
    },
  };
}

async function signInAndMakeZone({ page, button, dialog, picture }, token) {
  await page.getByLabel('Token', { exact: true }).fill(token);
  await picture('sign-in');
  await button('Sign in').click();
  await button('New zone').click();
  await dialog('New zone').getByLabel('Name', { exact: true }).fill('example.org');
  await dialog('New zone').getByLabel('Email', { exact: true }).fill('hostmaster@example.org');
  await picture('new-zone');
  await button('Create zone').click();
  await page.getByRole('heading', { level: 1, name: ZONE }).waitFor();
}

async function gatherAndApply(on) {
  const { page, button, dialog, picture, pictures, review, apply } = on;
  for (const [type, values] of RECORDS) {
    await fillRecord(on, type, values);
    if (type === 'MX') {
      await dialog('Add record').getByLabel('Preference', { exact: true }).fill('100000');
      await button('Add to changes').click();
      await dialog('Add record').locator('[aria-invalid]').waitFor();
      await picture('form');
      await dialog('Add record').getByLabel('Preference', { exact: true }).fill('10');
    }
    await button('Add to changes').click();
    await dialog('Add record').waitFor({ state: 'hidden' });
  }
  await review();
  await dialog('Plan').getByLabel('Message', { exact: true }).fill('First records');
  await apply();
  await page.getByText('all name servers have it').waitFor();
  await button('Dismiss').click();

  await button('Delete mail A').click();
  await button('Edit www AAAA').click();
  await dialog('Edit record').getByLabel('TTL', { exact: true }).fill('600');
  await button('Add to changes').click();
  await dialog('Edit record').waitFor({ state: 'hidden' });
  await pictures('records');
  await review();
  await pictures('plan');
  await apply();
  await page.getByText('all name servers have it').waitFor();
  await picture('applied');
  await button('Undo').click();
  await page.getByRole('table', { name: 'Changes' }).waitFor();
  await picture('undo');
  await apply();
  await button('Dismiss').click();
}

async function fillRecord({ button, dialog }, type, values) {
  await button('Add record').click();
  const form = dialog('Add record');
  await form.getByLabel('Type', { exact: true }).selectOption(type);
  for (const [label, value] of Object.entries(values)) {
    const control = form.getByLabel(label, { exact: true });
    const isChoice = (await control.evaluate(({ tagName }) => tagName)) === 'SELECT';
    await (isChoice ? control.selectOption(value) : control.fill(value));
  }
}

async function meetSomebody({ page, button, dialog, picture }, changeMeanwhile) {
  await button('Edit www A').click();
  await dialog('Edit record').getByLabel('Address', { exact: true }).fill('192.0.2.81');
  await button('Add to changes').click();
  await dialog('Edit record').waitFor({ state: 'hidden' });
  await changeMeanwhile();
  await button('Review changes').click();
  await dialog('Plan').getByRole('table', { name: 'Changes by others' }).waitFor();
  await picture('conflict');
  await button('Back').click();
  await button('Discard changes').click();
  await button('Discard').click();
  await button('Dismiss').click();
  await page.getByRole('region', { name: 'Pending changes' }).waitFor({ state: 'hidden' });
}

async function lookAround({ page, button, dialog, picture, pictures, screen }, url) {
  await screen('Import');
  await page.getByLabel('Or paste its text').fill('ftp 300 A 192.0.2.21\nbackup A 192.0.2.300\n@ MX mail\n');
  await button('Plan').click();
  await page.getByRole('table', { name: 'Errors in the file' }).waitFor();
  await picture('import');
  await button('Back').click();
  await screen('History');
  await button('Show changes').first().click();
  await page.getByRole('table', { name: 'Changes' }).waitFor();
  await pictures('history');
  await screen('Publication');
  await page.getByRole('table', { name: 'Name servers' }).waitFor();
  await picture('publication');
  await page.goto(`${url}/console/zones/${ZONE}/records?name=www.${ZONE}`);
  await page.getByRole('grid', { name: 'Records' }).getByRole('link', { name: 'www' }).nth(1).click();
  await page.getByRole('heading', { level: 2, name: 'www AAAA' }).waitFor();
  await page.getByRole('list', { name: 'Versions' }).getByText('Anna').first().waitFor();
  await picture('record');
  await screen('DNSSEC');
  await button('Sign this zone').click();
  await page.getByRole('table', { name: 'Keys' }).waitFor();
  await picture('dnssec');
  await page.goto(`${url}/console/tokens/new?preset=acme`);
  await dialog('New token').getByLabel('Host names', { exact: true }).fill('www.example.org');
  await button('Create token').click();
  await dialog('Token created').waitFor();
  await picture('token');
}
