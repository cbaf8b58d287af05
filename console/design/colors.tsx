import { useEffect, useRef, useState } from 'react';
import { ColumnHeads } from '../parts/column-heads.js';
import { design } from '../words/english-design.js';
import { type Color, contrast, hex, over, parseColor } from './contrast.js';
import { Part } from './part.js';

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
type Token = keyof typeof design.colors;

const TOKENS = Object.keys(design.colors) as Token[];

/** The ground that a token is read on, and the least contrast: 4.5 of text, 3 of the edge of a control. */
const READ_ON: Readonly<Partial<Record<Token, readonly [Token, number]>>> = {
  text: ['canvas', 4.5],
  quiet: ['raised', 4.5],
  accent: ['surface', 4.5],
  'accent-hover': ['surface', 4.5],
  'on-accent': ['accent', 4.5],
  edge: ['surface', 3],
  good: ['good-ground', 4.5],
  warn: ['warn-ground', 4.5],
  bad: ['bad-ground', 4.5],
};

/** The color tokens in both themes, with the contrasts that they reach. Both come from the style sheet itself. */
export function Colors() {
  const probe = useRef<HTMLDivElement>(null);
  const [colors, setColors] = useState<Readonly<Record<Theme, Readonly<Record<Token, Color>>>> | null>(null);
  useEffect(() => {
    if (probe.current !== null)
      setColors({ light: readColors(probe.current, 'light'), dark: readColors(probe.current, 'dark') });
  }, []);
  return (
    <Part name="colors">
      <div ref={probe} hidden />
      <table className="list design-colors" aria-label={design.parts.colors.title}>
        <ColumnHeads labels={design.colorColumns} />
        <tbody>
          {TOKENS.map((token) => (
            <tr key={token}>
              <td className="data">--{token}</td>
              {THEMES.map((theme) => (
                <td key={theme} data-label={design.colorColumns[theme]}>
                  {colors !== null && <Swatch token={token} theme={theme} colors={colors[theme]} />}
                </td>
              ))}
              <td data-label={design.colorColumns.use}>{design.colors[token]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

interface SwatchProps {
  readonly token: Token;
  readonly theme: Theme;
  readonly colors: Readonly<Record<Token, Color>>;
}

function Swatch({ token, theme, colors }: SwatchProps) {
  const color = over(colors[token], colors.surface);
  const [ground, least] = READ_ON[token] ?? [null, 0];
  const reached = ground === null ? null : contrast(color, over(colors[ground], colors.surface));
  return (
    <span className="design-swatch">
      <span
        style={{ background: `linear-gradient(var(--${token}), var(--${token})) var(--surface)`, colorScheme: theme }}
        aria-hidden="true"
      />
      <span className="data">{hex(color)}</span>
      {reached !== null && ground !== null && (
        <span className={reached < least ? 'badge failed' : 'quiet-text'}>{design.contrast(reached, ground)}</span>
      )}
    </span>
  );
}

function readColors(probe: HTMLElement, theme: Theme): Record<Token, Color> {
  probe.style.colorScheme = theme;
  const read = (token: Token): Color => {
    probe.style.color = `var(--${token})`;
    return parseColor(getComputedStyle(probe).color);
  };
  return Object.fromEntries(TOKENS.map((token) => [token, read(token)])) as Record<Token, Color>;
}
