import { readRestrictions } from '../auth/scopes/token-scope.js';

/** What an option says that may be repeated. */
export type List = readonly string[] | undefined;

/** `create,delete` says two. */
export function entriesOf(list: List): string[] | undefined {
  return list?.flatMap((text) => text.split(','));
}

/** `domains=example.org.`, `types=TXT`: what a credential is limited to, as it is stored. */
export function shownLimits(restrictions: string | null): string[] {
  const lists = restrictions === null ? [] : Object.entries(readRestrictions(restrictions));
  return lists.flatMap(([field, list]: [string, readonly string[] | null]) =>
    list === null ? [] : [`${field}=${list.join(',')}`],
  );
}
