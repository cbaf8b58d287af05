const CONSOLE = '/console';
/** In characters: it goes into a cookie. */
const LONGEST = 1024;

/**
 * Where somebody goes after signing in: a path below /console, and nothing that leads a browser anywhere else.
 * @returns the console itself for all else
 */
export function returnPathOf(asked: unknown): string {
  if (typeof asked !== 'string' || asked.length > LONGEST || !asked.startsWith(`${CONSOLE}/`)) return CONSOLE;
  const base = 'http://console.invalid';
  const url = URL.canParse(asked, base) ? new URL(asked, base) : null;
  if (url?.origin !== base || !url.pathname.startsWith(`${CONSOLE}/`)) return CONSOLE;
  return url.pathname + url.search;
}
