import { KeystoneApi } from './keystone-api.js';
import { PASSWORD, PEOPLE, type Person } from './keystone-people.js';
import type { Keystone } from './keystone.js';

/** What only the tests of tokens do with a Keystone. */
export class KeystoneAdmin {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  static async of({ url }: Keystone): Promise<KeystoneAdmin> {
    const login = { user: 'admin', password: PASSWORD, project: PEOPLE.admin.project };
    return new KeystoneAdmin(url, await KeystoneApi.tokenFor(url, login));
  }

  /** A token that proves who that user is, and is for none of its projects. */
  async unscopedTokenOf(person: Person): Promise<string> {
    const user = { name: person, domain: { id: 'default' }, password: PASSWORD };
    const auth = { identity: { methods: ['password'], password: { user } }, scope: 'unscoped' };
    const { headers } = await this.call('POST', '/auth/tokens', { auth });
    return headers.get('X-Subject-Token') ?? '';
  }

  /** Ends all tokens that the user has; it may ask for others. */
  async revokeTokensOf(person: Person): Promise<void> {
    const found = await this.call('GET', `/users?name=${person}`);
    const [user] = ((await found.json()) as { users: { id: string }[] }).users;
    for (const enabled of [false, true]) await this.call('PATCH', `/users/${user?.id ?? ''}`, { user: { enabled } });
  }

  private async call(method: string, path: string, body?: object): Promise<globalThis.Response> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { 'X-Auth-Token': this.token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`Keystone answers ${method} ${path} with ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}
