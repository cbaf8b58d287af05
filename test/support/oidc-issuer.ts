import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { ClientMetadata, Configuration, Provider } from 'oidc-provider';
import type { Settings } from './service.js';

/** Registered clients of each test issuer, with their extra token claims. */
const CLIENTS = {
  admin: { tenant_id: 'operators', roles: ['admin'] },
  /** An admin of everything: its token names no tenant. */
  operator: { roles: ['admin'] },
  demo: { tenant_id: 'demo', roles: ['member'] },
  other: { tenant_id: 'other', roles: ['member'] },
  reader: { tenant_id: 'demo', roles: ['reader', 'offline_access'] },
  guest: { tenant_id: 'demo', roles: ['offline_access'] },
  /** As Keycloak writes roles. */
  nested: { organization: 'nested', realm_access: { roles: ['dns-writer'] } },
} as const;

export type OidcClient = keyof typeof CLIENTS;

const AUDIENCE = 'https://dns.example.org';
const SECRET = 'a-client-secret-for-tests';

const CONSOLE = 'console';
const INTERACTION = '/interaction/';

interface RegisteredConsole {
  readonly callback: string;
  readonly user: OidcClient;
}

/** Issuer configuration for browser sign-in, in addition to that for programs. */
const FOR_PEOPLE: Configuration = {
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (_, { uid }) => `${INTERACTION}${uid}` },
  issueRefreshToken: () => true,
  pkce: { required: () => true },
};

/** In seconds; the issuer prints a warning for missing ones. */
const TTL_FOR_PEOPLE = {
  ...{ AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600 },
  ...{ RefreshToken: 600, Session: 600 },
};

function consoleClient({ callback }: RegisteredConsole, keys: readonly IssuerKey[]): ClientMetadata {
  return {
    client_id: CONSOLE,
    client_secret: SECRET,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [callback],
    post_logout_redirect_uris: [],
    id_token_signed_response_alg: keys[0]!.alg as 'RS256',
  };
}

/** An issuer key: its published form and its signer. */
export interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
}

/** An OpenID provider on loopback: discovery, keys, and tokens for clients by their credentials. */
export class OidcIssuer {
  readonly audience = AUDIENCE;
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  private server: Server | null = null;
  private answer: RequestListener = () => undefined;
  private console: RegisteredConsole | null = null;

  private constructor(
    readonly url: string,
    private readonly port: number,
    private keys: readonly IssuerKey[],
  ) {}

  static start(...algorithms: string[]): Promise<OidcIssuer> {
    return OidcIssuer.startAs('127.0.0.1', ...algorithms);
  }

  /** @param host a name of this machine, which has to be looked up before the issuer is asked */
  static async startAs(host: string, ...algorithms: string[]): Promise<OidcIssuer> {
    const keys = await Promise.all((algorithms.length === 0 ? ['RS256'] : algorithms).map(newKey));
    const server = await listen(0);
    const { port } = server.address() as AddressInfo;
    const issuer = new OidcIssuer(`http://${host}:${port}`, port, keys);
    await issuer.publish(keys);
    issuer.serve(server);
    return issuer;
  }

  /** The key that tokens are signed with now. */
  get key(): IssuerKey {
    return this.keys[0]!;
  }

  get keyFetches(): number {
    return this.asked.filter((path) => path === '/jwks').length;
  }

  /** The service's options to have its tokens taken. */
  get settings(): Settings {
    return { SERVICE_API__AUTH_STRATEGY: 'jwt', JWT__ISSUER: this.url, JWT__AUDIENCE: this.audience };
  }

  /** A new token of that client, from the issuer's own token endpoint. */
  async tokenOf(client: OidcClient): Promise<string> {
    const answer = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${Buffer.from(`${client}:${SECRET}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const body = (await answer.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(`no token for ${client}: ${JSON.stringify(body)}`);
    return body.access_token;
  }

  /** A token that the issuer could have made: signed with its key, good for an hour, of a member of demo. */
  sign(claims: object = {}, header: object = {}, key: IssuerKey = this.key): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const common = { iss: this.url, aud: this.audience, sub: 'demo', iat: now, exp: now + 3600, ...CLIENTS.demo };
    return new SignJWT({ ...common, ...claims })
      .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  /** Registers browser sign-in as this client's user; the console callback URL gets a code. */
  async register(callback: string, user: OidcClient = 'demo'): Promise<Settings> {
    this.console = { callback, user };
    await this.publish(this.keys);
    return { CONSOLE__OIDC_CLIENT_ID: CONSOLE, CONSOLE__OIDC_CLIENT_SECRET: SECRET };
  }

  /** Signs with a new key from now on. Those before it are published still, unless they have to go. */
  async rotate({ keepOld = true } = {}): Promise<void> {
    const keys = [await newKey(this.key.alg), ...(keepOld ? this.keys : [])];
    await this.publish(keys);
  }

  async restart(): Promise<void> {
    this.serve(await listen(this.port));
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server === null) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  private async publish(keys: readonly IssuerKey[]): Promise<void> {
    this.keys = keys;
    const provider = await newProvider(this.url, configurationOf(keys, this.console));
    const answer = provider.callback();
    this.answer = (request, response) => {
      const { console: registered } = this;
      if (registered !== null && request.url?.startsWith(INTERACTION) === true)
        void agree(provider, registered.user, request, response);
      else void answer(request, response);
    };
  }

  private serve(server: Server): void {
    this.server = server;
    server.on('request', (request: IncomingMessage, response) => {
      this.asked.push(request.url ?? '');
      this.answer(request, response);
    });
  }
}

export async function newKey(alg: string): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = randomBytes(6).toString('hex');
  const named = { kid, alg, use: 'sig' };
  const [privateJwk, publicJwk] = [await exportJWK(privateKey), await exportJWK(publicKey)];
  return { kid, alg, privateKey, privateJwk: { ...privateJwk, ...named }, publicJwk: { ...publicJwk, ...named } };
}

/** It says on the console that it should have a database and a newer Node, which it does not need here. */
async function newProvider(url: string, configuration: Configuration): Promise<Provider> {
  const { warn } = console;
  console.warn = () => undefined;
  try {
    const { default: OidcProvider } = await import('oidc-provider');
    return new OidcProvider(url, configuration);
  } finally {
    console.warn = warn;
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Says yes to all that a user would be asked. */
async function agree(
  provider: Provider,
  accountId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId }, consent });
}

function configurationOf(keys: readonly IssuerKey[], console: RegisteredConsole | null): Configuration {
  return {
    ...(console === null ? {} : FOR_PEOPLE),
    jwks: { keys: keys.map(({ privateJwk }) => privateJwk) },
    clients: [
      ...(console === null ? [] : [consoleClient(console, keys)]),
      ...Object.keys(CLIENTS).map((name) => ({
        client_id: name,
        client_secret: SECRET,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        id_token_signed_response_alg: keys[0]!.alg as 'RS256',
      })),
    ],
    ttl: { ClientCredentials: 3600, ...(console === null ? {} : TTL_FOR_PEOPLE) },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => AUDIENCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          audience: AUDIENCE,
          accessTokenTTL: 3600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: keys[0]!.alg as 'RS256' } },
        }),
      },
    },
    extraTokenClaims: (_, token) => {
      const account = 'accountId' in token ? token.accountId : undefined;
      return { ...CLIENTS[(account ?? token.clientId) as OidcClient] };
    },
  };
}
