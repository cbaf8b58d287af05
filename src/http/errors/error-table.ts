import { type ErrorCode, type FieldError, ServiceError } from '../../common/service-error.js';
import { HTTP_ERROR_STATUS, type HttpError } from './http-error.js';

/** How one interface says a refusal of the core. */
export interface ErrorWord {
  readonly status: number;
  /** What `type` carries, for programs. */
  readonly type: string;
  /** In the place of the core's own message, where the interface has another word for the thing. */
  readonly message?: string;
}

/** One line for each code of the core, so that the compiler asks for it whenever a code is added. */
export type ErrorTable = Readonly<Record<ErrorCode, ErrorWord>>;

/** A refusal in the words of an interface. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly errors: readonly FieldError[];
}

export function refusalOf(error: ServiceError | HttpError, table: ErrorTable): Refusal {
  if (error instanceof ServiceError) return { message: error.message, ...table[error.code], errors: error.errors };
  return httpRefusalOf(error);
}

/** The refusal of a request that reached no interface. */
export function httpRefusalOf({ code, message }: HttpError): Refusal {
  return { status: HTTP_ERROR_STATUS[code], type: code, message, errors: [] };
}
