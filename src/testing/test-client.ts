import { AssertionError } from 'node:assert/strict';

/** Whom requests come from. */
export interface TestCaller {
  /** With `auth_strategy = noauth`, which a test service has: the project, or tenant. */
  readonly tenant?: string;
  /** Its roles, `member` where none are said; `admin` may do what operators may. */
  readonly roles?: readonly string[];
  /** With other strategies: what `X-Auth-Token` carries. */
  readonly token?: string;
  /** What else each request carries, for an authenticator of a plugin. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as it is sent. */
export interface TestRequest {
  readonly method: string;
  /** `/v1/domains?name=example.org.` */
  readonly path: string;
  /** An object is sent as JSON; text and octets as they are, with the content type that the headers say. */
  readonly body?: object | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a service has answered. Redirects are answers too. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `undefined` where the answer is no JSON. */
  // As JSON.parse has it: a test knows what it has asked for, and its assertion is what checks it.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
  /** Returns the answer itself. @throws AssertionError with the body that came, when it has another status */
  expect(status: number): TestAnswer;
}

/** A small HTTP client of one service. It sends nothing but what it is told. */
export interface TestClient {
  /** The same client as somebody else. */
  as(caller: TestCaller): TestClient;
  get(path: string): Promise<TestAnswer>;
  post(path: string, body?: TestRequest['body']): Promise<TestAnswer>;
  put(path: string, body?: TestRequest['body']): Promise<TestAnswer>;
  patch(path: string, body?: TestRequest['body']): Promise<TestAnswer>;
  delete(path: string): Promise<TestAnswer>;
  send(request: TestRequest): Promise<TestAnswer>;
}

type Headed = Readonly<Record<string, string>>;

export function newTestClient(url: string, own: Headed = {}): TestClient {
  const send = (request: TestRequest): Promise<TestAnswer> => sendTo(url, request, own);
  return {
    send,
    as: (caller) => newTestClient(url, headersOf(caller)),
    get: (path) => send({ method: 'GET', path }),
    post: (path, body) => send(withBody('POST', path, body)),
    put: (path, body) => send(withBody('PUT', path, body)),
    patch: (path, body) => send(withBody('PATCH', path, body)),
    delete: (path) => send({ method: 'DELETE', path }),
  };
}

function withBody(method: string, path: string, body: TestRequest['body']): TestRequest {
  return body === undefined ? { method, path } : { method, path, body };
}

function headersOf({ tenant, roles = ['member'], token, headers }: TestCaller): Headed {
  return {
    ...(tenant !== undefined && { 'X-Auth-Project-ID': tenant, 'X-Roles': roles.join(',') }),
    ...(token !== undefined && { 'X-Auth-Token': token }),
    ...headers,
  };
}

async function sendTo(url: string, { method, path, body, headers }: TestRequest, own: Headed): Promise<TestAnswer> {
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
  const answer = await fetch(new URL(path, url), {
    method,
    redirect: 'manual',
    headers: { ...(isJson && { 'Content-Type': 'application/json' }), ...own, ...headers },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  });
  return readAnswer(`${method} ${path}`, answer);
}

async function readAnswer(request: string, response: Response): Promise<TestAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  const answer: TestAnswer = {
    status,
    headers,
    text,
    json: isJsonType(headers.get('Content-Type') ?? '') ? (JSON.parse(text) as unknown) : undefined,
    expect(expected) {
      if (status === expected) return answer;
      const message = `${request} was answered ${status} instead of ${expected}: ${text}`;
      throw new AssertionError({ message, actual: status, expected });
    },
  };
  return answer;
}

function isJsonType(type: string): boolean {
  return /^application\/([^;]*\+)?json\b/.test(type);
}
