/** Internationalized names: the service and DNS use A-labels (`xn--…`), the page shows U-labels. */

/** The A-labels of a name; itself where it is ASCII or cannot be one. Its final dot stays. */
export function asciiOf(name: string): string {
  return name
    .split('.')
    .map((label) => (/^[\u0021-\u007e]*$/.test(label) ? label : aLabelOf(label)))
    .join('.');
}

/** The browser's host name conversion (UTS 46). */
function aLabelOf(label: string): string {
  // Characters that end the host in a URL are invalid in a name.
  if (/[\s/?#@:\\%[\]]/.test(label)) return label;
  try {
    return new URL(`http://${label}.example`).hostname.slice(0, -'.example'.length);
  } catch {
    return label;
  }
}

/** The U-label form; `null`: without A-label, or with an invalid one. */
export function readableOf(name: string): string | null {
  if (!/(^|\.)xn--/i.test(name)) return null;
  const readable = name
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? (decoded(label.slice(4).toLowerCase()) ?? label) : label))
    .join('.');
  // A name that does not convert back would mislead the reader.
  return readable !== name && asciiOf(readable).toLowerCase() === name.toLowerCase() ? readable : null;
}

const [BASE, LEAST, MOST, SKEW, DAMP] = [36, 1, 26, 38, 700];
const FIRST = 128;
const LARGEST = 0x10ffff;

/** RFC 3492 §6.2; `null`: invalid Punycode. */
function decoded(text: string): string | null {
  const delimiter = text.lastIndexOf('-');
  const output = delimiter < 0 ? [] : [...text.slice(0, delimiter)].map((one) => one.codePointAt(0) ?? 0);
  const digits = [...text.slice(delimiter + 1)].map(digitOf);
  let [code, index, bias] = [FIRST, 0, 72];
  for (let at = 0; at < digits.length;) {
    const before = index;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digits[at];
      at += 1;
      if (digit === undefined || digit < 0) return null;
      index += digit * weight;
      const threshold = Math.min(MOST, Math.max(LEAST, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = output.length + 1;
    bias = adapted(index - before, length, before === 0);
    code += Math.floor(index / length);
    if (code > LARGEST) return null;
    index %= length;
    output.splice(index, 0, code);
    index += 1;
  }
  return String.fromCodePoint(...output);
}

function digitOf(character: string): number {
  return /[a-z]/.test(character) ? character.charCodeAt(0) - 97 : /\d/.test(character) ? Number(character) + 26 : -1;
}

function adapted(difference: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(difference / (isFirst ? DAMP : 2));
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > ((BASE - LEAST) * MOST) / 2; k += BASE) delta = Math.floor(delta / (BASE - LEAST));
  return k + Math.floor(((BASE - LEAST + 1) * delta) / (delta + SKEW));
}
