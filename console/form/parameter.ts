/** Splits a typed parameter, `alpn=h2`, into key and value. Text without a key is all value. */
export function parameterOf(text: string, known: readonly string[]): { readonly key: string; readonly value: string } {
  const at = text.indexOf('=');
  if (at >= 0) return { key: text.slice(0, at).trim(), value: text.slice(at + 1) };
  return known.includes(text) ? { key: text, value: '' } : { key: '', value: text };
}

/**
 * When the user types `alpn=h2`, the last letter of the key moves the key to its field, and `=` is not part of the
 * value.
 */
export function writtenParameter(key: string, typed: string): string {
  const value = key === '' ? typed : typed.replace(/^=/, '');
  return key === '' || value === '' ? `${key}${value}` : `${key}=${value}`;
}
