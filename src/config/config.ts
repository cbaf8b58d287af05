/** The validated and frozen configuration. `src/app/composition/built-in-options.ts` adds the members. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it is extended there
export interface Config {}
