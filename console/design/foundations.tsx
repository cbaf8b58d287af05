import { Icon, ICONS, type IconName } from '../parts/icon.js';
import { design } from '../words/english-design.js';
import { Part, Sample, Samples } from './part.js';

const SPACES = ['0.25rem', '0.5rem', '0.75rem', '1rem', '1.5rem', '2rem'];
const SIZES = ['control', 'row', 'top', 'rail', 'radius', 'card'] as const;

/** Type, spacing, sizes and icons. */
export function Foundations() {
  const { type } = design;
  return (
    <>
      <Part name="type">
        <dl className="design-type">
          <Size of={type.title}>
            <p className="design-title">{type.sample}</p>
          </Size>
          <Size of={type.section}>
            <p className="design-section">{type.sample}</p>
          </Size>
          <Size of={type.body}>
            <p>{type.sample}</p>
          </Size>
          <Size of={type.strong}>
            <p>
              <strong>{type.sample}</strong>
            </p>
          </Size>
          <Size of={type.label}>
            <p className="hint">{type.sample}</p>
          </Size>
          <Size of={type.data}>
            <p className="data">{type.dataSample}</p>
          </Size>
        </dl>
      </Part>
      <Part name="spacing">
        <ul className="design-spaces">
          {SPACES.map((space) => (
            <li key={space}>
              <span style={{ inlineSize: space }} aria-hidden="true" /> {design.pixels(parseFloat(space) * 16)}
            </li>
          ))}
        </ul>
        <dl className="facts">
          {SIZES.map((token) => (
            <div key={token}>
              <dt className="data">--{token}</dt>
              <dd>{design.sizes[token]}</dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part name="icons">
        <Samples>
          {(Object.keys(ICONS) as IconName[]).map((name) => (
            <Sample key={name} label={name}>
              <Icon name={name} />
            </Sample>
          ))}
        </Samples>
      </Part>
    </>
  );
}

function Size({ of, children }: { readonly of: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{of}</dt>
      <dd>{children}</dd>
    </div>
  );
}
