import './line-editor.css';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { ControlProps } from '../parts/field.js';
import { startOfLine } from './file-entry.js';

/** As in line-editor.css. */
const LINE_REM = 1.25;
const PADDING_REM = 0.5;

const NO_LINES: ReadonlySet<number> = new Set();

interface Props {
  readonly control: ControlProps;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly faulty: ReadonlySet<number>;
  /** Lines with findings that do not prevent an import. */
  readonly warned?: ReadonlySet<number>;
  readonly onText: (text: string) => void;
}

/** A text area with line numbers. It draws only the visible ones, however long the file is. */
export function LineEditor({ control, area, text, faulty, warned = NO_LINES, onText }: Props) {
  const [view, setView] = useState({ top: 0, height: 0, rem: 16 });
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = area.current ?? {};
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    setView((last) => (last.top === top && last.height === height && last.rem === rem ? last : { top, height, rem }));
  };
  useLayoutEffect(look, [area]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (area.current !== null) observer.observe(area.current);
    return () => observer.disconnect();
  }, [area]);
  const lines = useMemo(() => countOfLines(text), [text]);
  const line = LINE_REM * view.rem;
  const hidden = Math.max(0, Math.floor((view.top - PADDING_REM * view.rem) / line));
  const count = Math.min(lines - hidden, Math.ceil(view.height / line) + 1);
  const numbers = Array.from({ length: Math.max(count, 0) }, (_, at) => hidden + at + 1);
  const markOf = (number: number): string => (faulty.has(number) ? 'faulty' : warned.has(number) ? 'warned' : '');
  const offset = PADDING_REM * view.rem + hidden * line - view.top;
  return (
    <div className="line-editor">
      <div className="lines" aria-hidden="true" style={{ inlineSize: `${Math.max(2, String(lines).length) + 2}ch` }}>
        <div style={{ transform: `translateY(${offset}px)` }}>
          {numbers.map((number) => (
            <div key={number} className={`line-number ${markOf(number)}`}>
              {number}
            </div>
          ))}
        </div>
      </div>
      <textarea
        {...control}
        ref={area}
        rows={14}
        wrap="off"
        spellCheck={false}
        value={text}
        onScroll={look}
        onChange={({ target }) => onText(target.value)}
      />
    </div>
  );
}

/** Selects a line, moves the focus there and scrolls to it. */
export function selectLine(area: HTMLTextAreaElement, line: number): void {
  const start = startOfLine(area.value, line) ?? area.value.length;
  const end = area.value.indexOf('\n', start);
  area.focus();
  area.setSelectionRange(start, end < 0 ? area.value.length : end);
  const height = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (line - 4) * height);
}

function countOfLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
