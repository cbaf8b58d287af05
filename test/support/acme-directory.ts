import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  calculateJwkThumbprint,
  EmbeddedJWK,
  type FlattenedJWSInput,
  flattenedVerify,
  importJWK,
  type JWK,
} from 'jose';
import { run } from './run-program.js';

/** Asks for the TXT records of a name as the world sees them. */
export type AskTexts = (name: string) => Promise<readonly string[]>;

interface Identifier {
  readonly type: 'dns';
  readonly value: string;
}

type Status = 'pending' | 'ready' | 'valid' | 'invalid';

interface Authorization {
  readonly identifier: Identifier;
  readonly isWildcard: boolean;
  readonly token: string;
  status: Status;
  /** The found records, instead of the expected ones. */
  found: readonly string[];
}

interface Order {
  readonly identifiers: readonly Identifier[];
  readonly authorizations: readonly number[];
  certificate: string | null;
}

/** A refusal of ACME (RFC 8555 §6.7). */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    detail: string,
  ) {
    super(detail);
  }
}

interface Asked {
  readonly path: readonly string[];
  readonly payload: Record<string, unknown>;
  /** The URL of the account that has signed; `null` for a new one, which shows its key. */
  readonly account: string | null;
  readonly key: JWK;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: object | string;
}

/**
 * A certificate authority on loopback that speaks ACME (RFC 8555) with dns-01 challenges. Its account must sign every
 * request with a nonce of this server. It issues a certificate only when TXT records prove all names.
 */
export class AcmeDirectory {
  private readonly nonces = new Set<string>();
  private readonly accounts = new Map<string, JWK>();
  private readonly authorizations: Authorization[] = [];
  private readonly orders: Order[] = [];

  private constructor(
    private readonly server: Server,
    private readonly directory: string,
    private readonly askTexts: AskTexts,
  ) {
    server.on('request', (request, response) => void this.serve(request, response));
  }

  static async start(askTexts: AskTexts): Promise<AcmeDirectory> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-acme-'));
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const subject = ['-subj', '/CN=ACME of the tests', '-days', '2'];
    await openssl('req', '-x509', ...newKey(join(directory, 'ca.key')), ...subject, '-out', join(directory, 'ca.pem'));
    return new AcmeDirectory(server, directory, askTexts);
  }

  /** Where clients begin. */
  get url(): string {
    return this.urlOf('directory');
  }

  /** How many challenges were judged, and how. */
  judged(status: Status): number {
    return this.authorizations.filter((authorization) => authorization.status === status).length;
  }

  /** Whether it has made this certificate. */
  async hasSigned(certificate: X509Certificate): Promise<boolean> {
    return certificate.verify(new X509Certificate(await readFile(join(this.directory, 'ca.pem'))).publicKey);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await rm(this.directory, { recursive: true });
  }

  private urlOf(...path: (string | number)[]): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${path.join('/')}`;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status = 200, headers = {}, body = {} } = await this.answer(request).catch(problemOf);
    const type = status >= 400 ? 'application/problem+json' : 'application/json';
    const nonce = { 'Replay-Nonce': this.newNonce(), 'Cache-Control': 'no-store' };
    const isText = typeof body === 'string';
    response.writeHead(status, {
      'Content-Type': isText ? 'application/pem-certificate-chain' : type,
      ...nonce,
      ...headers,
    });
    response.end(isText ? body : JSON.stringify(body));
  }

  private async answer(request: IncomingMessage): Promise<Answer> {
    const path = (request.url ?? '').slice(1).split('/');
    if (path[0] === 'directory')
      return {
        body: {
          newNonce: this.urlOf('nonce'),
          newAccount: this.urlOf('new-account'),
          newOrder: this.urlOf('new-order'),
          revokeCert: this.urlOf('revoke'),
          keyChange: this.urlOf('key-change'),
        },
      };
    if (path[0] === 'nonce') return { status: request.method === 'HEAD' ? 200 : 204 };
    const asked = await this.verify(request, path);
    const operations: Record<string, (asked: Asked) => Answer | Promise<Answer>> = {
      'new-account': (one) => this.newAccount(one),
      account: ({ account }) => ({ headers: { Location: account ?? '' }, body: { status: 'valid' } }),
      'new-order': (one) => this.newOrder(one),
      order: ({ path: [, id] }) => this.showOrder(Number(id)),
      authorization: ({ path: [, id] }) => ({ body: this.authorizationBody(Number(id)) }),
      challenge: (one) => this.judge(one),
      finalize: (one) => this.finalize(one),
      certificate: ({ path: [, id] }) => ({ body: this.orders[Number(id)]?.certificate ?? '' }),
    };
    const operation = operations[path[0] ?? ''];
    if (operation === undefined) throw new Refusal(404, 'malformed', 'there is nothing here');
    return operation(asked);
  }

  private newNonce(): string {
    const nonce = randomBytes(16).toString('base64url');
    this.nonces.add(nonce);
    return nonce;
  }

  /** §6.2 to §6.5 */
  private async verify(request: IncomingMessage, path: readonly string[]): Promise<Asked> {
    if (request.headers['content-type'] !== 'application/jose+json')
      throw new Refusal(415, 'malformed', 'not application/jose+json');
    const jws = JSON.parse(await text(request)) as FlattenedJWSInput;
    const header = JSON.parse(Buffer.from(jws.protected ?? '', 'base64url').toString()) as Record<string, unknown>;
    const account = typeof header.kid === 'string' ? header.kid : null;
    const known = account === null ? undefined : this.accounts.get(account);
    if (account !== null && known === undefined) throw new Refusal(400, 'accountDoesNotExist', 'no such account');
    if (account === null && path[0] !== 'new-account') throw new Refusal(401, 'unauthorized', 'signed by no account');
    const key = known === undefined ? EmbeddedJWK : await importJWK(known, String(header.alg));
    const { payload } = await flattenedVerify(jws, key as typeof EmbeddedJWK).catch((error: unknown) => {
      throw new Refusal(400, 'malformed', `the signature is not valid: ${String(error)}`);
    });
    if (!this.nonces.delete(String(header.nonce))) throw new Refusal(400, 'badNonce', 'not a nonce of ours');
    if (header.url !== this.urlOf(...path)) throw new Refusal(401, 'unauthorized', 'signed for another URL');
    const said = Buffer.from(payload).toString();
    return {
      path,
      // POST-as-GET has an empty payload (§6.3).
      payload: said === '' ? {} : (JSON.parse(said) as Record<string, unknown>),
      account,
      key: known ?? (header.jwk as JWK),
    };
  }

  private async newAccount({ key }: Asked): Promise<Answer> {
    const account = this.urlOf('account', await calculateJwkThumbprint(key));
    this.accounts.set(account, key);
    return { status: 201, headers: { Location: account }, body: { status: 'valid' } };
  }

  private newOrder({ payload }: Asked): Answer {
    const identifiers = payload.identifiers as readonly Identifier[];
    const authorizations = identifiers.map(({ value }) => {
      const isWildcard = value.startsWith('*.');
      const name = isWildcard ? value.slice(2) : value;
      const identifier: Identifier = { type: 'dns', value: name };
      const token = randomBytes(24).toString('base64url');
      const made = { identifier, isWildcard, token, status: 'pending' as const, found: [] };
      return this.authorizations.push(made) - 1;
    });
    const id = this.orders.push({ identifiers, authorizations, certificate: null }) - 1;
    return { status: 201, headers: { Location: this.urlOf('order', id) }, body: this.orderBody(id) };
  }

  private showOrder(id: number): Answer {
    return { headers: { Location: this.urlOf('order', id) }, body: this.orderBody(id) };
  }

  private statusOf({ authorizations, certificate }: Order): Status {
    const states = authorizations.map((at) => this.authorizations[at]!.status);
    if (states.includes('invalid')) return 'invalid';
    if (states.includes('pending')) return 'pending';
    return certificate === null ? 'ready' : 'valid';
  }

  private orderBody(id: number): object {
    const order = this.orders[id]!;
    return {
      status: this.statusOf(order),
      expires: tomorrow(),
      identifiers: order.identifiers,
      authorizations: order.authorizations.map((at) => this.urlOf('authorization', at)),
      finalize: this.urlOf('finalize', id),
      ...(order.certificate === null ? {} : { certificate: this.urlOf('certificate', id) }),
    };
  }

  private authorizationBody(id: number): object {
    const { identifier, isWildcard, status } = this.authorizations[id]!;
    return {
      identifier,
      status,
      expires: tomorrow(),
      challenges: [this.challengeBody(id)],
      ...(isWildcard ? { wildcard: true } : {}),
    };
  }

  private challengeBody(id: number): object {
    const { status, token, found } = this.authorizations[id]!;
    const error = { type: 'urn:ietf:params:acme:error:unauthorized', detail: `found ${JSON.stringify(found)}` };
    return {
      type: 'dns-01',
      url: this.urlOf('challenge', id),
      token,
      status,
      ...(status === 'invalid' ? { error } : {}),
    };
  }

  /** §8.4: `_acme-challenge` has the hash of the token and the account key. */
  private async judge({ path: [, id], key }: Asked): Promise<Answer> {
    const authorization = this.authorizations[Number(id)]!;
    const proof = `${authorization.token}.${await calculateJwkThumbprint(key)}`;
    const wanted = createHash('sha256').update(proof).digest('base64url');
    authorization.found = await this.askTexts(`_acme-challenge.${authorization.identifier.value}.`);
    authorization.status = authorization.found.includes(wanted) ? 'valid' : 'invalid';
    const up = `<${this.urlOf('authorization', Number(id))}>;rel="up"`;
    return { headers: { Link: up }, body: this.challengeBody(Number(id)) };
  }

  private async finalize({ path: [, id], payload }: Asked): Promise<Answer> {
    const order = this.orders[Number(id)]!;
    const status = this.statusOf(order);
    if (status !== 'ready') throw new Refusal(403, 'orderNotReady', `the order is ${status}`);
    const names = order.identifiers.map(({ value }) => value);
    order.certificate = await this.sign(Buffer.from(String(payload.csr), 'base64url'), names);
    return this.showOrder(Number(id));
  }

  private async sign(request: Buffer, names: readonly string[]): Promise<string> {
    const file = (name: string): string => join(this.directory, name);
    await writeFile(file('request.der'), request);
    const read = ['-inform', 'DER', '-in', file('request.der')];
    const asked = (await openssl('req', ...read, '-noout', '-text')).match(/DNS:[^\s,]+/g) ?? [];
    const wanted = names.map((name) => `DNS:${name}`);
    if (asked.sort().join() !== [...wanted].sort().join())
      throw new Refusal(400, 'badCSR', `it is for ${asked.join()}`);
    await openssl('req', ...read, '-out', file('request.pem'));
    await writeFile(file('extensions'), `subjectAltName=${wanted.join(',')}\n`);
    const authority = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-days', '1', '-extfile', file('extensions')];
    const signed = ['-out', file('signed.pem')];
    await openssl('x509', '-req', '-in', file('request.pem'), ...authority, '-CAcreateserial', ...signed);
    return `${await readFile(file('signed.pem'), 'utf8')}${await readFile(file('ca.pem'), 'utf8')}`;
  }
}

function newKey(path: string): string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', path];
}

async function openssl(...parameters: string[]): Promise<string> {
  const { failed, stdout, output } = await run('openssl', parameters);
  if (failed) throw new Error(output);
  return stdout;
}

function problemOf(error: unknown): Answer {
  if (!(error instanceof Refusal)) return { status: 500, body: { detail: String(error) } };
  return { status: error.status, body: { type: `urn:ietf:params:acme:error:${error.type}`, detail: error.message } };
}

function tomorrow(): string {
  return `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
}
