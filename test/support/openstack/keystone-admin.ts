import { KeystoneApi } from './keystone-api.js';
import { PASSWORD, PEOPLE, type Person } from './keystone-people.js';
import type { Keystone } from './keystone.js';

/** Keystone administration that only token tests need. */
export class KeystoneAdmin {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  static async of({ url }: Keystone): Promise<KeystoneAdmin> {
    const login = { user: 'admin', password: PASSWORD, project: PEOPLE.admin.project };
    return new KeystoneAdmin(url, await KeystoneApi.tokenFor(url, login));
  }

  /** A token that identifies the user without a project scope. */
  async unscopedTokenOf(person: Person): Promise<string> {
    const user = { name: person, domain: { id: 'default' }, password: PASSWORD };
    const auth = { identity: { methods: ['password'], password: { user } }, scope: 'unscoped' };
    const { headers } = await this.call('POST', '/auth/tokens', { auth });
    return headers.get('X-Subject-Token') ?? '';
  }

  /** A token of the admin for the whole cloud, or for the Keystone domain that all its projects are in. */
  async adminTokenFor(scope: 'system' | 'domain'): Promise<string> {
    const user = { name: 'admin', domain: { id: 'default' }, password: PASSWORD };
    await this.grantAdmin(scope);
    const scopes = { system: { system: { all: true } }, domain: { domain: { id: 'default' } } };
    const auth = { identity: { methods: ['password'], password: { user } }, scope: scopes[scope] };
    const { headers } = await this.call('POST', '/auth/tokens', { auth });
    return headers.get('X-Subject-Token') ?? '';
  }

  private async grantAdmin(scope: 'system' | 'domain'): Promise<void> {
    const [role, user] = [await this.idOf('roles', 'admin'), await this.idOf('users', 'admin')];
    const place = scope === 'system' ? 'system' : 'domains/default';
    await this.call('PUT', `/${place}/users/${user}/roles/${role}`);
  }

  private async idOf(collection: 'users' | 'roles', name: string): Promise<string> {
    const answer = await this.call('GET', `/${collection}?name=${name}`);
    const [found] = ((await answer.json()) as Record<string, { id: string }[]>)[collection] ?? [];
    return found?.id ?? '';
  }

  /** Ends all tokens that the user has; it may ask for others. */
  async revokeTokensOf(person: Person): Promise<void> {
    const user = await this.idOf('users', person);
    for (const enabled of [false, true]) await this.call('PATCH', `/users/${user}`, { user: { enabled } });
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
