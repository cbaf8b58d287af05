/**
 * The whole configuration, validated and frozen. What is in it follows from the options that features declare: the
 * composition, which knows all of them, says where each stands (src/app/composition/built-in-options.ts).
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it is extended there
export interface Config {}
