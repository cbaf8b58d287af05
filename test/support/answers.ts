import { expect } from '@jest/globals';
import type { Response, Test } from 'supertest';
import type { FieldError } from '../../src/common/service-error.js';
import type { RecordBody, RefusalBody } from './bodies.js';

export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const REQUEST_ID = /^req-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A failed status prints the body that came with it. */
export function expectStatus(answer: Response, status: number): void {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
}

/** One field at fault; the words are for people, so tests leave them alone. */
export type Fault = Pick<FieldError, 'path' | 'validator'>;

export interface Refusal {
  readonly status: number;
  readonly type: string;
  /** Exactly these fields at fault; not looked at when left out. */
  readonly faults?: readonly Fault[];
}

interface RefusalFacts {
  readonly reason?: string;
  readonly params?: object;
}

/** The whole body of behavior 2.1, for any refusal. */
export function expectRefusal(answer: Response, { status, type, faults }: Refusal): void {
  expectStatus(answer, status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const { errors = [], reason, params, ...body } = answer.body as RefusalFacts & { errors?: FieldError[] };
  expect(body).toEqual({
    code: status,
    type,
    message: expect.stringMatching(/^\S.*\.$/s),
    request_id: answer.headers['x-openstack-request-id'],
  });
  for (const error of errors)
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'params', 'path', 'validator']);
  // Version 2 has no reason codes next to its types (behavior 2.5).
  if (reason !== undefined)
    expect({ reason, params }).toEqual({ reason: expect.stringMatching(/^\w+$/), params: expect.any(Object) });
  if (faults !== undefined) expect(errors.map(({ path, validator }) => ({ path, validator }))).toEqual(faults);
}

/** The answer to a request that is expected to have that status. */
export async function answerOf(request: Test, status = 200): Promise<Response> {
  const answer = await request;
  expectStatus(answer, status);
  return answer;
}

/** The body of an answer with that status. */
export async function bodyOf<Body = RecordBody>(request: Test, status = 200): Promise<Body> {
  return (await answerOf(request, status)).body as Body;
}

/** The body of a refusal of that type (behaviour 2.3). */
export async function refusalOf(request: Test, status: number, type: string): Promise<RefusalBody> {
  const answer = await request;
  expectRefusal(answer, { status, type });
  return answer.body as RefusalBody;
}
