/** A piece of text, or a character that cannot be seen or that changes how its neighbours are read. */
export type Piece = { readonly text: string } | { readonly mark: string };

// Controls, zero-width and bidirectional characters, and lone surrogates.
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

/** Splits untrusted text, so that no character hides or reorders the text next to it. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found.index > end) pieces.push({ text: text.slice(end, found.index) });
    const code = found[0].codePointAt(0) ?? 0;
    pieces.push({ mark: code.toString(16).toUpperCase().padStart(4, '0') });
    end = found.index + found[0].length;
  }
  if (end < text.length || pieces.length === 0) pieces.push({ text: text.slice(end) });
  return pieces;
}
