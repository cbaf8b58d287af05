const ANY = '*';

/**
 * Whether an owner name is one of those that a pattern stands for. Each `*` of the pattern stands for any characters, dots
 * and none included; the work grows with the length of the name times that of the pattern.
 * @param name in lower case, with the final dot
 */
export function matchesPattern(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split(ANY);
  const tail = rest.pop();
  if (tail === undefined) return name === head;
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let at = head.length;
  // The first place is always good: it leaves the most for what follows.
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * Whether every name that one pattern stands for is one of the other's. A `*` of the narrower one is a character that
 * nothing but a `*` of the wider one stands for, so whatever takes its place is taken by that one.
 */
export function isPatternWithin(narrower: string, wider: string): boolean {
  return matchesPattern(wider, narrower);
}
