import { english } from './english.js';

export type Words = typeof english;

/** The catalogue of the language that is shown. */
export const words: Words = english;
