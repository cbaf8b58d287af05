import { useState } from 'react';
import { Link } from 'wouter';
import { Choice } from '../parts/choice.js';
import { CopyField } from '../parts/copy-field.js';
import { Field } from '../parts/field.js';
import { Icon } from '../parts/icon.js';
import { design } from '../words/english-design.js';
import { Part, Sample, Samples } from './part.js';

const { states, samples } = design;
const BUTTONS = { usual: undefined, primary: 'primary', danger: 'danger', quiet: 'quiet' } as const;
const BADGES = ['current', 'pending', 'behind', 'unreachable', 'failed', 'create', 'update', 'delete'] as const;

/** Buttons, fields, chips and tags. */
export function Controls() {
  return (
    <>
      <Part name="buttons">
        <Samples>
          {Object.entries(BUTTONS).map(([name, className]) => (
            <Sample key={name} label={states[name as keyof typeof BUTTONS]}>
              <div className="tools">
                <button type="button" className={className}>
                  {samples.save}
                </button>
                <button type="button" className={className} disabled>
                  {samples.disabled}
                </button>
                <button type="button" className={className} aria-disabled>
                  {samples.working}
                </button>
              </div>
            </Sample>
          ))}
          <Sample label={states.withIcon}>
            <button type="button" className="with-icon">
              <Icon name="add" />
              {samples.add}
            </button>
          </Sample>
          <Sample label={states.iconOnly}>
            <button type="button" className="icon-button" aria-label={samples.edit} title={samples.edit}>
              <Icon name="edit" />
            </button>
          </Sample>
          <Sample label={states.link}>
            <Link href="/design" className="action">
              {samples.open}
            </Link>
          </Sample>
        </Samples>
      </Part>
      <Part name="fields">
        <Fields />
      </Part>
      <Part name="chips">
        <Samples>
          <Sample label={states.status}>
            <ul className="status-chips" aria-label={states.status}>
              {(
                [
                  ['', samples.live],
                  ['warn', samples.addDs],
                  ['bad', samples.errors],
                ] as const
              ).map(([look, text]) => (
                <li key={text}>
                  <Link href="/design" className={`status-chip ${look}`}>
                    {text}
                  </Link>
                </li>
              ))}
            </ul>
          </Sample>
          <Sample label={states.filter}>
            <div className="chips filter-chips">
              <button type="button" className="chip" aria-label={samples.removeFilter}>
                {samples.filter}
                <Icon name="close" />
              </button>
            </div>
          </Sample>
        </Samples>
      </Part>
      <Part name="tags">
        <Samples>
          <Sample label={states.type}>
            <span className="tag">AAAA</span>
          </Sample>
          {BADGES.map((badge) => (
            <Sample key={badge} label={badge}>
              <span className={`badge ${badge}`}>{samples.badges[badge]}</span>
            </Sample>
          ))}
        </Samples>
      </Part>
    </>
  );
}

function Fields() {
  const [sort, setSort] = useState('name');
  return (
    <Samples>
      <Sample label={states.usual}>
        <Field label={samples.name} hint={samples.nameHint}>
          {(control) => <input {...control} defaultValue="www" />}
        </Field>
      </Sample>
      <Sample label={states.optional}>
        <Field label={samples.comment} isOptional>
          {(control) => <input {...control} placeholder={samples.placeholder} />}
        </Field>
      </Sample>
      <Sample label={states.invalid}>
        <Field label={samples.address} error={samples.addressError}>
          {(control) => <input {...control} defaultValue="192.0.2.300" />}
        </Field>
      </Sample>
      <Sample label={states.disabled}>
        <Field label={samples.type}>
          {(control) => (
            <select {...control} disabled>
              <option>A</option>
            </select>
          )}
        </Field>
      </Sample>
      <Sample label={states.long}>
        <Field label={samples.file}>
          {(control) => <textarea {...control} rows={3} defaultValue={samples.line} />}
        </Field>
      </Sample>
      <Sample label={states.chosenFile}>
        <Field label={samples.upload}>{(control) => <input {...control} type="file" />}</Field>
      </Sample>
      <Sample label={states.checks}>
        <label className="check">
          <input type="checkbox" defaultChecked /> {samples.skip}
        </label>
        <label className="check">
          <input type="radio" name="design" defaultChecked /> {samples.merge}
        </label>
        <label className="check">
          <input type="radio" name="design" /> {samples.replace}
        </label>
      </Sample>
      <Sample label={states.choice}>
        <Choice label={samples.sort} value={sort} options={samples.sorts} onChange={setSort} />
      </Sample>
      <Sample label={states.copy}>
        <CopyField label={samples.secret} text="zw_4f9c1d" />
      </Sample>
    </Samples>
  );
}
