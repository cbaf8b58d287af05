import { SetMetadata } from '@nestjs/common';

export const JSON_TYPE = 'application/json';
export const PROBLEM_TYPE = 'application/problem+json';

/** A type as callers ask for it in `Accept`: alone, or with the charset that all our answers have. */
export const inUtf8 = (mediaType: string): string[] => [mediaType, `${mediaType}; charset=utf-8`];

export const CONSUMES = Symbol('consumes');
export const PRODUCES = Symbol('produces');

/** The media type of the body that an operation takes, where that is not JSON; it gets the octets as a Buffer. */
export const Consumes = (mediaType: string) => SetMetadata(CONSUMES, mediaType);

/** The media type that an operation answers with, where that is not JSON. */
export const Produces = (mediaType: string) => SetMetadata(PRODUCES, mediaType);
