import { SetMetadata } from '@nestjs/common';

export const JSON_TYPE = 'application/json';
/** One JSON value a line. */
export const JSON_LINES_TYPE = 'application/jsonl';
/** Server-sent events (HTML Standard §9.2), which are always UTF-8. */
export const EVENT_STREAM_TYPE = 'text/event-stream';
export const PROBLEM_TYPE = 'application/problem+json';

/** The values of `Accept` that match a media type: alone, and with the charset of all our answers. */
export const inUtf8 = (mediaType: string): string[] => [mediaType, `${mediaType}; charset=utf-8`];

export const CONSUMES = Symbol('consumes');
export const PRODUCES = Symbol('produces');
export const BODY_OPTIONAL = Symbol('body optional');

/** Declares that an operation takes a body of another media type than JSON, as a Buffer. */
export const Consumes = (mediaType: string) => SetMetadata(CONSUMES, mediaType);

/**
 * Declares that an operation answers in other media types than JSON alone: 406 where `Accept` excludes all of them. Without
 * any, the operation answers whatever `Accept` says.
 */
export const Produces = (...mediaTypes: readonly string[]) => SetMetadata(PRODUCES, mediaTypes);

/** Declares that an operation can do without a body, or with the body `null`: an empty object then, of no media type. */
export const BodyOptional = () => SetMetadata(BODY_OPTIONAL, true);
