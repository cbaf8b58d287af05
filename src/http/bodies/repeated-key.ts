/**
 * Whether an object in valid JSON, at any depth, has a key twice. RFC 8259 §4 leaves open which of the two counts: a
 * proxy may have checked the one, and we would store the other.
 */
export function hasRepeatedKey(json: string): boolean {
  const open: Set<string>[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (character === '"') {
      const end = endOfString(json, at);
      const keys = open.at(-1);
      if (keys !== undefined && isKey(json, end)) {
        const key = keyOf(json.slice(at, end));
        if (keys.has(key)) return true;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return false;
}

/** Few keys have an escape, and only those need a parser: a body may have 100,000 keys. */
function keyOf(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** The index after the closing quote of the string that begins at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let backslashes = 0;
  while (json[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** Whether a colon follows the string that ends at `end`: only keys have one. */
function isKey(json: string, end: number): boolean {
  let next = end;
  while (/\s/.test(json[next] ?? '')) next += 1;
  return json[next] === ':';
}
