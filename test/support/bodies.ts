import type { Response, Test } from 'supertest';
import type { FieldError } from '../../src/common/service-error.js';
import { expectRefusal, expectStatus } from './answers.js';
import type { DomainBody, RecordBody } from './fixtures.js';

export type { DomainBody, RecordBody };

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

/** A record as lists show it. */
export interface ListedBody extends RecordBody {
  readonly tenant_id: string;
  readonly version: number;
}

export interface RefusalBody {
  readonly code: number;
  readonly type: string;
  readonly message: string;
  readonly errors?: readonly FieldError[];
  readonly request_id: string;
}
