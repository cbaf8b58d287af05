import { useState } from 'react';
import { chooseTheme, chosenTheme, THEMES } from '../frame/theme.js';
import { Choice } from '../parts/choice.js';
import { Logo } from '../parts/icon.js';
import { design } from '../words/english-design.js';
import { Colors } from './colors.js';
import { Content } from './content.js';
import { Controls } from './controls.js';
import { Foundations } from './foundations.js';
import { Layers } from './layers.js';
import { States } from './states.js';

/** The design system of the console: its tokens, and every part in each of its states. For development alone. */
export function DesignPage() {
  const [theme, setTheme] = useState(chosenTheme);
  const change = (chosen: string): void => {
    const found = THEMES.find((one) => one === chosen) ?? 'system';
    chooseTheme(found);
    setTheme(found);
  };
  return (
    <div className="design">
      <header className="design-head">
        <Logo />
        <h1>{design.heading}</h1>
        <Choice label={design.theme} value={theme} options={design.themes} onChange={change} />
      </header>
      <nav aria-label={design.contents} className="design-nav">
        <ul>
          {Object.entries(design.parts).map(([name, { title }]) => (
            <li key={name}>
              <a href={`#${name}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        <p className="prose">{design.intro}</p>
        <Colors />
        <Foundations />
        <Controls />
        <Layers />
        <States />
        <Content />
      </main>
    </div>
  );
}
