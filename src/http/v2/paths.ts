const VERSION_2 = /^\/v2(?:\/|$)/i;

/** Whether a path belongs to version 2. */
export function isVersion2(path: string): boolean {
  return VERSION_2.test(path);
}
