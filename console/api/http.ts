import { actingFor, actsForAll } from '../session/acting.js';
import { proofOfPage } from '../session/session.js';
import { words } from '../words/index.js';
import { NoAnswer, Refusal } from './errors.js';
import { PREFIX } from './prefix.js';
import type { ErrorAnswer } from './types.js';

export interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly json?: unknown;
  /** A zone file. */
  readonly text?: string;
  readonly accept?: string;
  /** The answer is taken as it comes, though it may be lines of JSON. */
  readonly isText?: boolean;
  readonly ifMatch?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer<Body> {
  readonly body: Body;
  readonly status: number;
  readonly etag: string | null;
}

/** An answer that does not come is given up, so that nothing on the screen waits for ever. */
const PATIENCE = 75_000;
/** Paths of tenant requests; sessions, tenants and the audit log belong to no tenant. */
const ACTED_IN = /^\/v[12]\/(?!tenants)/;
const encoder = new TextEncoder();
/** Headers are octets, and a tenant in them is UTF-8. */
const octetsOf = (text: string): string => String.fromCharCode(...encoder.encode(text));
const TRY_AGAIN = new Set([429, 502, 503, 504]);

/**
 * Sends one request.
 * @throws Refusal if the service refuses the request, NoAnswer without a conclusive response
 */
export async function exchange<Body>(path: string, question: Question = {}): Promise<Answer<Body>> {
  const response = await send(path, question);
  const text = await readText(response);
  if (response.ok) {
    const isJson = question.isText !== true && (response.headers.get('Content-Type')?.includes('json') ?? false);
    // The OpenAPI document gives the type of this operation.
    const body = (isJson ? JSON.parse(text) : text) as Body;
    return { body, status: response.status, etag: response.headers.get('ETag') };
  }
  const error = await inOwnWords(readError(response.status, text));
  if (TRY_AGAIN.has(response.status) || error.type === 'request_in_progress')
    throw new NoAnswer(error.message, Number(response.headers.get('Retry-After') ?? 2));
  throw new Refusal(response.status, error);
}

async function send(path: string, question: Question): Promise<Response> {
  const { method = 'GET', json, text, signal } = question;
  const patience = AbortSignal.timeout(PATIENCE);
  const body = json === undefined ? text : JSON.stringify(json);
  try {
    return await fetch(PREFIX + path, {
      method,
      headers: headersOf(path, question),
      cache: 'no-store',
      redirect: 'error',
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new NoAnswer(words.answers.unreachable);
  }
}

function headersOf(path: string, { method = 'GET', json, text, accept, ifMatch, idempotencyKey }: Question): Headers {
  const headers = new Headers();
  const proof = proofOfPage();
  headers.set('Accept', accept === undefined ? 'application/json' : `${accept}, application/json;q=0.5`);
  const tenant = actingFor();
  if (tenant !== null && ACTED_IN.test(path)) headers.set('X-Auth-Sudo-Tenant-ID', octetsOf(tenant));
  if (actsForAll() && ACTED_IN.test(path)) headers.set('X-Auth-All-Projects', 'true');
  if (method !== 'GET' && proof !== null) headers.set('X-CSRF-Token', proof);
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  if (text !== undefined) headers.set('Content-Type', 'text/dns');
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  return headers;
}

async function readText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw new NoAnswer(words.answers.cutOff);
  }
}

/** The sentences are loaded with the first refusal. */
async function inOwnWords(answer: ErrorAnswer): Promise<ErrorAnswer> {
  try {
    const { worded } = await import('./refusal-sentences.js');
    return worded(answer);
  } catch {
    return { ...answer, message: words.answers.status(answer.code) };
  }
}

function readError(status: number, text: string): ErrorAnswer {
  try {
    const answer = JSON.parse(text) as Partial<ErrorAnswer>;
    // Version 2 has no words for programs, and its fields in another form.
    const { type = 'unknown', reason = type, params = {}, message = words.answers.status(status) } = answer;
    const errors = Array.isArray(answer.errors) ? answer.errors : [];
    return { code: status, type, reason, params, message, errors, request_id: '' };
  } catch {
    // A proxy may answer in other words.
    const message = words.answers.status(status);
    return { code: status, type: 'unknown', reason: 'unknown', params: {}, message, request_id: '' };
  }
}
