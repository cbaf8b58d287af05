/** A user and a project, both of the domain `default`. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly project: string;
}

const INTERFACES = ['public', 'internal', 'admin'];

interface Found {
  readonly id: string;
}

/** The little of Keystone's interface (version 3) that sets it up for a test, as its admin. */
export class KeystoneApi {
  private constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  static async logIn(url: string, login: Login): Promise<KeystoneApi> {
    return new KeystoneApi(url, await KeystoneApi.tokenFor(url, login));
  }

  /** A new token. */
  static async tokenFor(url: string, { user, password, project }: Login): Promise<string> {
    const domain = { id: 'default' };
    const identity = { methods: ['password'], password: { user: { name: user, domain, password } } };
    const auth = { identity, scope: { project: { name: project, domain } } };
    const answer = await fetch(`${url}/auth/tokens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ auth }),
    });
    const token = answer.headers.get('X-Subject-Token');
    if (token === null) throw new Error(`Keystone refuses ${user}: ${answer.status} ${await answer.text()}`);
    return token;
  }

  async revoke(token: string): Promise<void> {
    await this.call('DELETE', '/auth/tokens', { headers: { 'X-Subject-Token': token } });
  }

  /** The id of the user or project of that name; creates it if missing. */
  async ensure(kind: 'user' | 'project' | 'service', name: string, values: object): Promise<string> {
    const [found] = await this.list(`${kind}s`, { name });
    if (found !== undefined) return found.id;
    const made = await this.call('POST', `/${kind}s`, { body: { [kind]: { name, ...values } } });
    return (made as Record<string, Found>)[kind]!.id;
  }

  async grant(projectId: string, userId: string, role: string): Promise<void> {
    const [found] = await this.list('roles', { name: role });
    if (found === undefined) throw new Error(`Keystone has no role ${role}`);
    await this.call('PUT', `/projects/${projectId}/users/${userId}/roles/${found.id}`);
  }

  /** Puts a service that is not in the catalogue yet into it, as being at this address. */
  async publish(type: 'identity' | 'dns', url: string, region: string): Promise<void> {
    const service = await this.ensureService(type);
    for (const interfaceName of INTERFACES) {
      const endpoint = { service_id: service, interface: interfaceName, region_id: region, url };
      await this.call('POST', '/endpoints', { body: { endpoint } });
    }
  }

  private async ensureService(type: string): Promise<string> {
    const [found] = await this.list('services', { type });
    return found?.id ?? this.ensure('service', type, { type });
  }

  private async list(collection: string, filters: Readonly<Record<string, string>>): Promise<readonly Found[]> {
    const answer = await this.call('GET', `/${collection}?${new URLSearchParams(filters).toString()}`);
    return (answer as Record<string, Found[]>)[collection] ?? [];
  }

  private async call(
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { 'X-Auth-Token': this.token, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Keystone answers ${method} ${path} with ${answer.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}
