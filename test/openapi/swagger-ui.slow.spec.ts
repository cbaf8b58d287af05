import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeWithBrowser, notice, type Noticed, openBrowser } from '../support/browser.js';
import { newDomain } from '../support/domain.js';
import { ADMIN_TOKEN, startTestService, type TestService } from '../support/service.js';

describeWithBrowser('Swagger UI in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  let noticed: Noticed;
  beforeAll(async () => {
    service = await startTestService({ SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN });
    browser = await openBrowser();
    page = await browser.newPage();
    noticed = notice(page, service.url);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  /** Opens one operation by its id and returns its block. */
  async function open(tag: string, operation: string) {
    const block = page.locator(`#operations-${tag}-${operation}`);
    if ((await block.locator('button.execute').count()) === 0) await block.locator('.opblock-summary-control').click();
    return block;
  }

  async function execute(block: Awaited<ReturnType<typeof open>>): Promise<{ status: number; body: string }> {
    await block.locator('button.execute').click();
    const answer = block.locator('.live-responses-table .response');
    await answer.locator('.response-col_status').first().waitFor();
    const status = Number(await answer.locator('.response-col_status').first().innerText());
    return { status, body: await answer.locator('.response-col_description pre').first().innerText() };
  }

  it('shows the operations, and its own request is refused before it is authorized', async () => {
    await page.goto(`${service.url}/docs`);
    await page.locator('#operations-records-createRecord').waitFor();
    expect(await page.title()).toBe('Zonewright');
    const { status, body } = await execute(await open('domains', 'listDomains'));
    expect(status).toBe(401);
    expect(JSON.parse(body)).toMatchObject({ type: 'access_denied' });
    // The browser itself reports the 401 that was asked for.
    expect(noticed.complaints.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  it('lists domains after a token was given to the Authorize button', async () => {
    const domain = await newDomain({ call: (...ask) => service.call(...ask).set('X-Auth-Token', ADMIN_TOKEN) });
    await page.locator('button.authorize').first().click();
    const dialog = page.locator('.dialog-ux');
    await dialog.locator('input').fill(ADMIN_TOKEN);
    await dialog.locator('button.authorize').click();
    await dialog.locator('button.btn-done').click();

    const { status, body } = await execute(await open('domains', 'listDomains'));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({ domains: [domain] });
  });

  it('creates a domain from the example that it shows', async () => {
    const { status, body } = await execute(await open('domains', 'createDomain'));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ name: 'example.org.', updated_at: null });
  });

  it('1.10 lists the history of a name without filters that nobody chose', async () => {
    const { status, body } = await execute(await open('history', 'listHistoryOfName'));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ history: [{ action: 'domain.create' }] });
  });

  it('1.10 offers version 2 as well', async () => {
    await page.locator('.topbar select').selectOption({ label: 'Version 2' });
    const { status, body } = await execute(await open('zones', 'listZones'));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ zones: [{}, {}], metadata: { total_count: 2 } });
  });

  it('works without a foreign host and without a complaint', () => {
    expect(noticed.foreign).toEqual([]);
    expect(noticed.complaints).toEqual([]);
  });
});
