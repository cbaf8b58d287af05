import { words } from '../words/index.js';
import { piecesOf } from './marks.js';

interface Props {
  readonly text: string;
  /** In characters; longer text is cut, and complete in the open record. */
  readonly longest?: number;
}

/** Text from a zone, a token or an error: unchanged, isolated, with marks for invisible characters. */
export function ShownText({ text, longest = 2000 }: Props) {
  if (text === '') return null;
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return (
    <bdi className="shown-text">
      {piecesOf(shown).map((piece, index) =>
        'mark' in piece ? (
          <span key={index} className="mark">
            {words.marks.control(piece.mark)}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}
