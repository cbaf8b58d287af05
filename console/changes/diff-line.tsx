import './changes.css';
import type { ReactNode } from 'react';
import { Labels } from '../parts/shown-name.js';
import { words } from '../words/index.js';
import type { Chunk } from './text-diff.js';

interface Props {
  /** `same`: the record does not change. */
  readonly side: 'removed' | 'added' | 'same';
  readonly chunks: readonly Chunk[];
  /** In characters; longer text is cut. */
  readonly longest?: number;
  /** Details in the font of the page. */
  readonly children?: ReactNode;
}

const LONGEST = 600;

/** A line of a unified diff, with its changed characters marked. */
export function DiffLine({ side, chunks, longest = LONGEST, children }: Props) {
  return (
    <div className={`diff-line ${side}`}>
      {side !== 'same' && (
        <>
          <span aria-hidden="true" className="sign">
            {side === 'added' ? '+' : '−'}
          </span>
          <span className="visually-hidden">{words.plan[side]} </span>
        </>
      )}
      <bdi className="diff-text">
        {cut(chunks, longest).map(({ text, isChanged }, index) =>
          isChanged ? (
            <mark key={index}>
              <Labels text={text} />
            </mark>
          ) : (
            <Labels key={index} text={text} />
          ),
        )}
      </bdi>
      {children}
    </div>
  );
}

function cut(chunks: readonly Chunk[], longest: number): readonly Chunk[] {
  const shown: Chunk[] = [];
  let left = longest;
  for (const chunk of chunks) {
    if (chunk.text.length > left) return [...shown, { ...chunk, text: `${chunk.text.slice(0, left)}…` }];
    shown.push(chunk);
    left -= chunk.text.length;
  }
  return shown;
}
