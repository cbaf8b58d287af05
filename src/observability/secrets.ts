/** A token of ours, wherever it occurs: `zw_` and 256 bits in base64url. */
const TOKEN = String.raw`zw_[\w-]{43}`;
/** A JWT: parts in base64url, of which the first is a JSON object. The bound keeps the search linear. */
const JWT = String.raw`eyJ[\w-]{5,1000}\.[\w-]+\.[\w-]*`;
/** What signs a webhook: `whsec_` and base64. */
const WEBHOOK_SECRET = String.raw`whsec_[\w+/=-]{24,200}`;
const INSTEAD = '[secret]';
/** What is shorter would be found by accident in the middle of words. */
const SHORTEST = 6;

/**
 * Returns what takes secrets out of a line, whether they are there as they are or as JSON or a URL writes them. Nothing
 * should bring them there; this is for what nobody has thought of, such as the words of a driver.
 */
export function withoutSecrets(secrets: readonly string[]): (line: string) => string {
  const texts = secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellingsOf);
  // The longest first: another one may be a part of it.
  const sorted = [...new Set(texts)].sort((one, other) => other.length - one.length);
  const pattern = new RegExp([TOKEN, JWT, WEBHOOK_SECRET, ...sorted.map(escaped)].join('|'), 'g');
  return (line) => line.replace(pattern, INSTEAD);
}

/** Whatever is logged is in JSON by then, so that JSON of another program is in JSON twice. */
function spellingsOf(secret: string): string[] {
  return [secret, quoted(secret), quoted(quoted(secret)), encodeURIComponent(secret)];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
