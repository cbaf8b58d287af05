import { HttpStatus } from '@nestjs/common';
import { because, type RefusalFacts, type RefusalParam } from '../../common/refusal-facts.js';
import { type ErrorCode, type FieldError, ServiceError } from '../../common/service-error.js';
import { HTTP_ERROR_STATUS, type HttpError } from './http-error.js';

/** What one interface answers for an error code of the core. */
export interface ErrorTableEntry {
  readonly status: number;
  /** The `type` of the error body. */
  readonly type: string;
  /** Replaces the core's message, where that uses a word that the interface does not have. */
  readonly message?: string;
}

/** The codes that the interface can meet. Its own table says which, so that the compiler asks for a line for each. */
export type ErrorTable = Readonly<Partial<Record<ErrorCode, ErrorTableEntry>>>;

/** How one interface refuses. */
export interface RefusalStyle {
  readonly table: ErrorTable;
  /** For codes that are not in the table, where that is not a bad request. */
  readonly others?: ErrorTableEntry;
  /** Of its bodies where that is not JSON in UTF-8 or problem details, as the client prefers. */
  readonly contentType?: string;
  /** The body of a refusal, as it is sent in JSON. */
  bodyOf(refusal: Refusal, requestId: string): object;
}

/** What an error body is made of (behaviour 2.1). */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
  /** Why, as a word for programs, and what the message says of it (behaviour 2.5). */
  readonly reason: string;
  readonly params: Readonly<Record<string, RefusalParam>>;
}

/** A refusal that is in the words of its interface already: the table has no other message for it. */
export class RefusalInWords extends ServiceError {}

/** For a code that an interface cannot meet, as far as anybody knows. */
const NOT_IN_TABLE: ErrorTableEntry = { status: HttpStatus.BAD_REQUEST, type: 'bad_request' };

export function refusalOf(error: ServiceError | HttpError, { table, others = NOT_IN_TABLE }: RefusalStyle): Refusal {
  if (!(error instanceof ServiceError)) return httpRefusalOf(error);
  const { status, type, message: words } = table[error.code] ?? others;
  const message = error instanceof RefusalInWords ? error.message : (words ?? error.message);
  // The refusal of one field has its message twice (ServiceError.ofField).
  const errors = error.errors.map((field) => (field.message === error.message ? { ...field, message } : field));
  const { reason = type, params } = factsOf(error);
  return { status, type, message, errors, reason, params };
}

/** Errors of the request itself are the same in every interface: they are in no table. */
export function httpRefusalOf({ code, message }: HttpError): Refusal {
  return { status: HTTP_ERROR_STATUS[code], type: code, message, errors: [], reason: code, params: {} };
}

function factsOf({ firstFacts, retryAfter, code }: ServiceError): Partial<RefusalFacts> & Pick<RefusalFacts, 'params'> {
  if (code === 'rate_limited' && retryAfter !== null) return because('rate_limited', { retry_after: retryAfter });
  return firstFacts ?? { params: {} };
}
