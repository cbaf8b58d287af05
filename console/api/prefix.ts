/** Below it are the files of this page and all that it asks for. */
const FOLDER = '/console/';
const script = new URL(import.meta.url).pathname;

/**
 * The path that a proxy puts in front of the service (behavior 1.7); `''`: none. Derived from the URL of this script.
 */
export const PREFIX = script.slice(0, Math.max(0, script.lastIndexOf(FOLDER)));

/** The path of the address without the prefix. */
export function ownPath(): string {
  return window.location.pathname.slice(PREFIX.length);
}

/** Where a screen is, by the path that the service knows it by: the address without the prefix. */
export function pathOfScreen({ pathname, search }: Pick<Location, 'pathname' | 'search'> = window.location): string {
  return pathname.slice(PREFIX.length) + search;
}
