import { AssertionError } from 'node:assert/strict';

/** The sender of requests. */
export interface TestCaller {
  /** The project, or tenant, with `auth_strategy = noauth`, the default of a test service. */
  readonly tenant?: string;
  /** `member` by default; `admin` has the rights of operators. */
  readonly roles?: readonly string[];
  /** The value of `X-Auth-Token`, with other strategies. */
  readonly token?: string;
  /** Further headers of each request, for a plugin's authenticator. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request of a test. */
export interface TestRequest {
  readonly method: string;
  /** `/v1/domains?name=example.org.` */
  readonly path: string;
  /** An object is sent as JSON; text and octets are sent unchanged, with the content type of the headers. */
  readonly body?: object | string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer of the service, including redirects. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `undefined` if the answer is not JSON. */
  // From JSON.parse; the assertions of a test check its type.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
  /** Returns the answer itself. @throws AssertionError with the received body, for another status */
  expect(status: number): TestAnswer;
}

/** A small HTTP client for one service. Adds nothing to requests. */
export interface TestClient {
  /** The same client with another caller. */
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
