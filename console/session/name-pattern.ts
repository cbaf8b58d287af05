const ANY = '*';

/** Matches as the service does: each `*` stands for any characters. @param name in lower case, absolute */
export function matchesPattern(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split(ANY);
  const tail = rest.pop();
  if (tail === undefined) return name === head;
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let at = head.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
