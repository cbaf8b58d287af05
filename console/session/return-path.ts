/** The path after sign-in: always below /console, whatever the URL contains. */
export function returnPath(wanted: string | null): string {
  if (wanted === null || !/^\/[A-Za-z0-9]/.test(wanted) || wanted.startsWith('/sign-in')) return '/zones';
  // Browsers read a backslash as a slash, and drop tabs and line ends.
  return /[\\\u0000-\u0020\u007f]/.test(wanted) ? '/zones' : wanted;
}
