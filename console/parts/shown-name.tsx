import { Fragment } from 'react';
import { words } from '../words/index.js';
import { piecesOf } from './marks.js';

/** Words up to this length do not break, such as IPv4 addresses. */
const LONG_WORD = /(\S{24,})/;

const breakable = (text: string): string[] =>
  text.split(LONG_WORD).flatMap((part, index) => (index % 2 === 1 ? part.split(/(?<=\.)/) : [part]));

interface Props {
  readonly text: string;
}

/** Untrusted text whose long words break behind their dots, but not inside a label. */
export function Labels({ text }: Props) {
  return piecesOf(text).map((piece, index) =>
    'mark' in piece ? (
      <span key={index} className="mark">
        {words.marks.control(piece.mark)}
      </span>
    ) : (
      breakable(piece.text).map((label, position) => (
        <Fragment key={`${index}.${position}`}>
          {position > 0 && <wbr />}
          {label}
        </Fragment>
      ))
    ),
  );
}

/** A name of a zone, in the font of data. */
export const ShownName = ({ text }: Props) => (
  <bdi className="shown-name">
    <Labels text={text} />
  </bdi>
);
