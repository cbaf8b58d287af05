import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import { ErrorAnswer } from '../errors/error-answer.js';
import { HttpError } from '../errors/http-error.js';
import { RawResponse } from '../custom-responses.js';
import { jsonTextOf } from '../server/response-pieces.js';
import type { ApiRequest } from '../request.js';
import {
  type StoredResponseEntity,
  isKept,
  StoredResponseRepository,
  type RequestKey,
} from './stored-response.repository.js';
import { StoredResponseRoom } from './stored-response-room.js';
import { entityTag, type Precondition } from '../conditions.js';

/** RFC 9110 §5.5: visible characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;
/** Octets; bounds key, tenant and URL. */
const ROW = 1024;
const JSON_IN_UTF8 = 'application/json; charset=utf-8';

interface Shown {
  readonly body: object;
  readonly location?: string;
  readonly entityTag?: string;
}

/** Hook of a change that stores its answer in the same transaction. Compatible with `ChangeHook` of zones. */
export interface AnswerKeeping<Result> {
  readonly isOurs: true;
  load(tx: Transaction): Promise<void>;
  admit(): void;
  write(tx: Transaction, outcome: Outcome<Result>): Promise<void>;
}

interface Exchange {
  readonly request: ApiRequest;
  readonly response: Response;
}

/** Executes a request once, even if it arrives several times with the same Idempotency-Key (behaviour 10.2). */
@Injectable()
export class IdempotentRequests {
  private readonly underWay = new Set<string>();

  constructor(
    private readonly answers: StoredResponseRepository,
    private readonly room: StoredResponseRoom,
    private readonly errors: ErrorAnswer,
  ) {}

  /**
   * @param change runs its argument as a hook @returns the answer, or the stored answer of the first request
   * @throws errors of `change`, ServiceError `request_in_progress`, `idempotency_key_reused`, `rate_limited`
   */
  async give<Result>(
    exchange: Exchange,
    change: (keeping: AnswerKeeping<Result> | null) => Promise<Result>,
    show: (result: Result) => Shown,
  ): Promise<object> {
    const key = keyOf(exchange.request);
    if (key === null) return answered(exchange.response, show(await change(null)));
    const name = JSON.stringify([key.tenantId, key.requestKey]);
    if (this.underWay.has(name)) throw inProgress();
    this.underWay.add(name);
    try {
      return await this.giveOnce({ ...key, fingerprint: fingerprintOf(exchange.request) }, exchange, change, show);
    } finally {
      this.underWay.delete(name);
    }
  }

  private async giveOnce<Result>(
    request: KeyedRequest,
    exchange: Exchange,
    change: (keeping: AnswerKeeping<Result>) => Promise<Result>,
    show: (result: Result) => Shown,
  ): Promise<object> {
    const { isFree, kept } = await this.answers.find(request);
    if (kept !== null) return replay(request, kept);
    if (!isFree) throw inProgress();
    await this.room.assertRoom(request.tenantId);
    const keeping = new Keeping(request, this.answers, (result: Result) => keptOf(request, show(result)));
    try {
      const shown = show(await change(keeping));
      if (keeping.written !== null) {
        this.room.add(request.tenantId, keeping.written);
        return answered(exchange.response, shown);
      }
      const earlier = await this.keep(await keptOf(request, shown));
      return earlier === null ? answered(exchange.response, shown) : replay(request, earlier);
    } catch (error) {
      return this.refuse(request, exchange, error);
    }
  }

  /** A rejected request changed nothing, so its response may be stored afterwards. */
  private async refuse(request: KeyedRequest, { request: sent }: Exchange, error: unknown): Promise<object> {
    if (error instanceof ResponseAlreadyStored) return replay(request, error.kept);
    if (isKept(error)) {
      const { kept } = await this.answers.find(request);
      if (kept === null) throw inProgress();
      return replay(request, kept);
    }
    if (!(error instanceof ServiceError) || error.code === 'request_in_progress') throw error;
    const { status, contentType, body } = this.errors.answerTo(sent, error);
    if (status >= 500 || status === 401) throw error;
    const refusal = { status, contentType, body, location: null, octets: weightOf(body) };
    const earlier = await this.keep({ ...request, ...refusal });
    if (earlier !== null) return replay(request, earlier);
    throw error;
  }

  private async keep(answer: Omit<StoredResponseEntity, 'keptAt'>): Promise<StoredResponseEntity | null> {
    const earlier = await this.answers.keep(answer);
    if (earlier === null) this.room.add(answer.tenantId, answer.octets);
    return earlier;
  }
}

interface KeyedRequest extends RequestKey {
  readonly fingerprint: string;
}

class Keeping<Result> implements AnswerKeeping<Result> {
  readonly isOurs = true;
  /** Octets of the stored answer; `null`: none. */
  written: number | null = null;
  private isFree = true;
  private kept: StoredResponseEntity | null = null;

  constructor(
    private readonly request: KeyedRequest,
    private readonly answers: StoredResponseRepository,
    private readonly keptOf: (result: Result) => Promise<Omit<StoredResponseEntity, 'keptAt'>>,
  ) {}

  async load(tx: Transaction): Promise<void> {
    this.written = null;
    ({ isFree: this.isFree, kept: this.kept } = await this.answers.claim(tx, this.request));
  }

  admit(): void {
    if (this.kept !== null) throw new ResponseAlreadyStored(this.kept);
    if (!this.isFree) throw inProgress();
  }

  async write(tx: Transaction, outcome: Outcome<Result>): Promise<void> {
    if ('error' in outcome) return;
    const answer = await this.keptOf(outcome.value);
    await this.answers.insert(tx, answer);
    this.written = answer.octets;
  }
}

/** Aborts a change whose request has a stored answer. */
class ResponseAlreadyStored extends ServiceError {
  constructor(readonly kept: StoredResponseEntity) {
    super('request_in_progress', 'This request was answered before.');
  }
}

function answered(response: Response, { body, location, entityTag }: Shown): object {
  if (entityTag !== undefined) response.setHeader('ETag', entityTag);
  if (location !== undefined) response.location(location);
  return body;
}

async function keptOf(request: KeyedRequest, { body, location }: Shown): Promise<Omit<StoredResponseEntity, 'keptAt'>> {
  const answer = { status: 200, contentType: JSON_IN_UTF8, body: await jsonTextOf(body) };
  return { ...request, ...answer, location: location ?? null, octets: weightOf(answer.body) };
}

/** Includes the other columns and the indexes. */
function weightOf(body: string): number {
  return ROW + Buffer.byteLength(body);
}

function replay({ fingerprint }: KeyedRequest, kept: StoredResponseEntity): RawResponse {
  if (kept.fingerprint !== fingerprint)
    throw new ServiceError(
      'idempotency_key_reused',
      'This Idempotency-Key was sent with another request; send each request with a key of its own.',
    );
  return new RawResponse(kept.status, kept.contentType, kept.body, {
    'Idempotent-Replayed': 'true',
    ...(kept.location === null ? {} : { Location: kept.location }),
  });
}

function inProgress(): ServiceError {
  return new ServiceError('request_in_progress', 'The first request with this Idempotency-Key is not answered yet.');
}

function keyOf({ headers, headersDistinct, caller }: ApiRequest): RequestKey | null {
  const { 'idempotency-key': requestKey } = headers;
  if (requestKey === undefined || caller === undefined) return null;
  const isSingle = headersDistinct['idempotency-key']?.length === 1;
  if (typeof requestKey === 'string' && isSingle && KEY.test(requestKey))
    return { tenantId: caller.tenantId, requestKey: keyFor(caller, requestKey) };
  throw new HttpError('bad_request', 'An Idempotency-Key is one value of 1 to 255 visible characters.');
}

/** Separates keys by permissions: no caller gets the answer of a less limited caller. Sent keys have no blank. */
function keyFor({ restrictions, tokenId, allTenants }: Caller, requestKey: string): string {
  if (restrictions === undefined && !allTenants) return requestKey;
  const limits = restrictions === undefined ? '' : (tokenId ?? JSON.stringify(restrictions));
  return `${allTenants ? 'all of' : 'of'} ${hash('sha256', `${limits} ${requestKey}`)}`;
}

/** Covers method, path with query, and body. JSON is normalized. */
function fingerprintOf({ method, originalUrl, body }: ApiRequest): string {
  const octets = Buffer.isBuffer(body) ? body.toString('base64') : JSON.stringify(body);
  return hash('sha256', `${method} ${originalUrl}\n${octets}`);
}

/** Hook of a zone change. Compatible with `ChangeHook` of zones. */
export interface ConditionalKeeping<Result> {
  readonly isOurs: true;
  load(tx: Transaction): Promise<void>;
  admit(zone: { readonly version: number; readonly changedAt: number }): void;
  write(tx: Transaction, outcome: Outcome<Result>): Promise<void>;
}

/**
 * A repeated request gets its first answer even if the zone has changed since.
 * @param condition of `If-Match` @param keeping `null` without an Idempotency-Key
 */
export function keepingUnder<Result>(
  condition: Precondition | null,
  keeping: AnswerKeeping<Result> | null,
): ConditionalKeeping<Result> | null {
  if (condition === null) return keeping;
  return {
    isOurs: true,
    load: (tx) => keeping?.load(tx) ?? Promise.resolve(),
    admit: ({ version, changedAt }) => {
      keeping?.admit();
      condition.assertHolds(entityTag(version, changedAt));
    },
    write: (tx, outcome) => keeping?.write(tx, outcome) ?? Promise.resolve(),
  };
}
