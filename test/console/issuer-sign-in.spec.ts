import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OidcIssuer } from '../support/oidc-issuer.js';
import { startTestService, type TestService } from '../support/service.js';

const START = '/console/oidc/start';
const BACK = '/console/zones/example.org./records?q=a%20b';
/** The issuer learns the port after the service has bound it; a port announced earlier could be taken by others. */
const STRATEGY = { SERVICE_API__AUTH_STRATEGY: 'token,jwt' };

let issuer: OidcIssuer;
let service: TestService;
let others: TestService;

beforeAll(async () => {
  issuer = await OidcIssuer.start();
  // The settings of the client do not depend on where it is.
  const settings = { ...issuer.settings, ...STRATEGY, ...(await issuer.register('http://127.0.0.1/')) };
  service = await startTestService({ ...settings, CONSOLE__OIDC_NAME: 'Example Login' });
  others = await startTestService({ SERVICE_API__AUTH_STRATEGY: 'token' });
  await issuer.register(`${service.url}/console/oidc/callback`);
});
afterAll(async () => {
  await service.stop();
  await others.stop();
  await issuer.stop();
});

/** As much of a browser as is needed: it keeps cookies by host, and goes where it is sent. */
class Browser {
  private readonly cookies = new Map<string, Map<string, string>>();

  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const answer = await fetch(url, { redirect: 'manual', headers: { ...headers, Cookie: this.cookiesOf(url) } });
    const jar = this.jarOf(url);
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(/; */);
      const [name = '', ...value] = pair.split('=');
      if (attributes.some((one) => one.toLowerCase() === 'max-age=0') || value.join('=') === '') jar.delete(name);
      else jar.set(name, value.join('='));
    }
    return answer;
  }

  /** Follows redirects until one leads to a path of the service that is no part of signing in. */
  async signIn(start = `${service.url}${START}?return=${encodeURIComponent(BACK)}`): Promise<URL> {
    let url = start;
    for (let step = 0; step < 10; step += 1) {
      const answer = await this.get(url);
      const next = answer.headers.get('location');
      if (next === null) throw new Error(`${url} is answered ${answer.status} ${await answer.text()}`);
      url = new URL(next, url).href;
      if (url.startsWith(`${service.url}/console`) && !url.includes('/console/oidc/')) return new URL(url);
    }
    throw new Error(`no end at ${url}`);
  }

  cookiesOf(url: string): string {
    return [...this.jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async ask(path: string): Promise<{ readonly status: number; readonly body: SessionBody }> {
    const answer = await this.get(service.url + path, { 'Sec-Fetch-Site': 'same-origin' });
    return { status: answer.status, body: (await answer.json()) as SessionBody };
  }

  private jarOf(url: string): Map<string, string> {
    const { host } = new URL(url);
    const jar = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, jar);
    return jar;
  }
}

interface SessionBody {
  readonly signed_in: boolean;
  readonly way: string;
  readonly csrf_token: string;
  readonly ways: { readonly oidc: { readonly name: string } | null };
}

describe('3.8 signing in at an issuer', () => {
  it('3.8 returns to the original page with a session of the signed-in user', async () => {
    const browser = new Browser();
    const end = await browser.signIn();
    expect(end.pathname + end.search).toBe(BACK);
    const { body } = await browser.ask('/console/session');
    expect(body).toMatchObject({ signed_in: true, way: 'oidc', ways: { oidc: { name: 'Example Login' } } });
    expect((await browser.ask('/v1/whoami')).body).toMatchObject({ tenant_id: 'demo', roles: ['member'] });
    // Nothing of a token is with the browser.
    expect(browser.cookiesOf(service.url)).toMatch(/^zw_session=[\w-]{43}$/);
  });

  it('3.8 asks with PKCE, state and nonce, others each time', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(async () => new URL((await new Browser().get(service.url + START)).headers.get('location')!)),
    );
    expect(one!.searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one!.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one!.searchParams.get(name)).not.toBe(other!.searchParams.get(name));
    }
  });

  it.each([
    '//evil.example/',
    'https://evil.example/console/',
    '/console/../evil',
    '/v1/domains',
    '/\\evil.example/console/',
    '/console/\\..\\..\\evil',
    'javascript:alert(1)',
    '/console//../..//evil.example',
    `/console/${'x'.repeat(2000)}`,
  ])('3.8 leads to the console and nowhere else: %s', async (target) => {
    const end = await new Browser().signIn(`${service.url}${START}?return=${encodeURIComponent(target)}`);
    expect(end.href).toBe(`${service.url}/console`);
  });

  it('3.8 rejects a code that this browser has not requested', async () => {
    const browser = new Browser();
    const callback = `${service.url}/console/oidc/callback`;
    const errorOf = async (who: Browser, query: string) => {
      const answer = await who.get(`${callback}?${query}`);
      expect(answer.status).toBe(303);
      return answer.headers.get('location');
    };
    for (const query of ['', 'code=x', 'code=x&state=y', 'error=access_denied', 'code=a&code=b&state=c', 'state=%00'])
      expect(await errorOf(browser, query)).toBe('/console/sign-in?error=access_denied');
    // The code of one browser in another, and under its own state but from another issuer.
    const start = await browser.get(service.url + START);
    const state = new URL(start.headers.get('location')!).searchParams.get('state')!;
    expect(await errorOf(new Browser(), `code=x&state=${state}`)).toBe('/console/sign-in?error=access_denied');
    expect(await errorOf(browser, `code=x&state=${state}&iss=https://evil.example`)).toBe(
      '/console/sign-in?error=access_denied',
    );
    await browser.get(service.url + START);
    const again = new URL((await browser.get(service.url + START)).headers.get('location')!).searchParams.get('state')!;
    expect(await errorOf(browser, `code=invented&state=${again}`)).toBe('/console/sign-in?error=access_denied');
    expect((await browser.ask('/console/session')).body.signed_in).toBe(false);
  });

  it('3.8 signs out', async () => {
    const browser = new Browser();
    await browser.signIn();
    const { body } = await browser.ask('/console/session');
    const answer = await fetch(`${service.url}/console/session`, {
      method: 'DELETE',
      headers: {
        Cookie: browser.cookiesOf(service.url),
        'Sec-Fetch-Site': 'same-origin',
        'X-CSRF-Token': body.csrf_token,
      },
    });
    const { sign_out_url } = (await answer.json()) as { readonly sign_out_url: string };
    expect(sign_out_url).toMatch(`${issuer.url}/session/end?client_id=console&post_logout_redirect_uri=`);
    expect((await browser.ask('/v1/whoami')).status).toBe(401);
  });

  it('3.8 is not there where the console is not known to an issuer', async () => {
    expect((await fetch(others.url + START)).status).toBe(404);
    const shown = await fetch(`${others.url}/console/session`);
    expect(await shown.json()).toMatchObject({ ways: { oidc: null } });
  });
});
