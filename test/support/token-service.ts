import { administrator } from '../../src/common/caller.js';
import { TokensService, type TokenRequest } from '../../src/auth/tokens/tokens.service.js';
import { type Client, type Settings, startTestService, type TestService } from './service.js';

/** A client with a token. */
export interface TokenClient extends Client {
  readonly id: string;
  readonly token: string;
}

/** A service with `auth_strategy = token`, with the holders of its tokens. */
export interface TokenService extends TestService {
  holding(token: string, id?: string): TokenClient;
  /** A member of the tenant acme, unless the test says otherwise. */
  newToken(request?: Partial<TokenRequest>): Promise<TokenClient>;
}

export async function startTokenService(settings: Settings = {}, directory?: string): Promise<TokenService> {
  const service = await startTestService({ SERVICE_API__AUTH_STRATEGY: 'token', ...settings }, directory);
  const tokens = service.running.application.app.get(TokensService, { strict: false });
  const holding = (token: string, id = ''): TokenClient => ({
    id,
    token,
    call: (method, path, body) => {
      const test = service.plain(method, path).set('X-Auth-Token', token);
      if (body === undefined) return test;
      return test.set('Content-Type', 'application/json').send(typeof body === 'string' ? body : JSON.stringify(body));
    },
  });
  return {
    ...service,
    holding,
    newToken: async (request = {}) => {
      const made = { tenantId: 'acme', roles: ['member'], description: null, expiresAt: null, ...request };
      const { id, token } = await tokens.create(made, administrator('operator', 'cli'));
      return holding(token, id);
    },
  };
}
