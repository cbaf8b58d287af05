import { words } from '../words/index.js';
import { piecesOf } from './marks.js';

interface Props {
  readonly text: string;
  /** In characters; what is longer is cut, and whole in the open record. */
  readonly longest?: number;
}

/** Text from a zone, a token or an error: shown as it is, isolated, with marks for what could not be seen. */
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
