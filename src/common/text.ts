/** Whether a value is a string that UTF-8 can carry and both databases store: no NUL, no half of a surrogate pair. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
