import type { ParentLook } from '../api/types.js';

/** The name servers of the parent zone, by their delegation. */
export function delegationIn({ servers }: Pick<ParentLook, 'servers'>, own: readonly string[]) {
  const wanted = setOf(own);
  const isOwn = (ns: readonly string[] | null): boolean => ns !== null && setOf(ns) === wanted;
  return {
    isOwn,
    isComplete: servers.length > 0 && servers.every(({ ns }) => isOwn(ns)),
    former: servers.filter(({ ns }) => ns !== null && !isOwn(ns)).map(({ name }) => name),
    silent: servers.filter(({ ns }) => ns === null).map(({ name }) => name),
  };
}

/** A form in which equal sets are equal. */
const setOf = (names: readonly string[]): string =>
  names
    .map((name) => name.toLowerCase())
    .sort()
    .join(' ');
