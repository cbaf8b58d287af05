/** The catalogue of the language that is shown. */
export * as words from './catalogue.js';
