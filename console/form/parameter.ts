/** A parameter as it is typed, `alpn=h2`, in its two parts. What has no key yet is all value. */
export function parameterOf(text: string, known: readonly string[]): { readonly key: string; readonly value: string } {
  const at = text.indexOf('=');
  if (at >= 0) return { key: text.slice(0, at).trim(), value: text.slice(at + 1) };
  return known.includes(text) ? { key: text, value: '' } : { key: '', value: text };
}

/** Whoever types `alpn=h2` has the key taken out at its last letter, and the `=` is no part of the value. */
export function writtenParameter(key: string, typed: string): string {
  const value = key === '' ? typed : typed.replace(/^=/, '');
  return key === '' || value === '' ? `${key}${value}` : `${key}=${value}`;
}
