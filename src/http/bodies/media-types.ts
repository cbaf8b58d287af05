import { SetMetadata } from '@nestjs/common';

export const JSON_TYPE = 'application/json';
export const JSON_LINES_TYPE = 'application/jsonl';
/** Server-sent events (HTML Standard §9.2), always UTF-8. */
export const EVENT_STREAM_TYPE = 'text/event-stream';
export const PROBLEM_TYPE = 'application/problem+json';

/** Matching values of `Accept`: with and without our charset. */
export const inUtf8 = (mediaType: string): string[] => [mediaType, `${mediaType}; charset=utf-8`];

export const CONSUMES = Symbol('consumes');
export const PRODUCES = Symbol('produces');
export const BODY_OPTIONAL = Symbol('body optional');

/** Makes an operation take its body as a Buffer of another media type than JSON. */
export const Consumes = (mediaType: string) => SetMetadata(CONSUMES, mediaType);

/** Answers 406 if `Accept` excludes all of these media types. Without arguments, ignores `Accept`. */
export const Produces = (...mediaTypes: readonly string[]) => SetMetadata(PRODUCES, mediaTypes);

/** Reads an absent body and `null` as an empty object, without a media type. */
export const BodyOptional = () => SetMetadata(BODY_OPTIONAL, true);
