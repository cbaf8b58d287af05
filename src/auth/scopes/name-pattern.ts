const ANY = '*';

/**
 * Each `*` matches any characters, also dots and none. Takes time proportional to both lengths.
 * @param name in lower case, with the final dot
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split(ANY);
  const tail = rest.pop();
  if (tail === undefined) return name === head;
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let at = head.length;
  // The first match is always right: it leaves the longest rest.
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Correct because only a `*` of the wider pattern can match a `*` of the narrower one. */
export function isPatternWithin(narrower: string, wider: string): boolean {
  return matchesPattern(wider, narrower);
}
