import { type SubmitEvent, useId, useRef, useState } from 'react';
import { changePending, usePending } from '../changes/pending-store.js';
import type { Template } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { setsOf, type TemplateSet, withTemplate } from './clashes.js';
import { fieldsOf, isTemplate, recordsOf, TEMPLATE_NAMES, type TemplateRecord, type Values } from './templates.js';
import { isOfConsole, recordsIn, useStoredTemplates } from './stored-templates.js';
import { useStoredRecords } from './use-stored-records.js';

interface Props {
  readonly template: string;
  readonly mayDelete: boolean;
  readonly onChoose: (template: string) => void;
  readonly onClose: () => void;
}

/** Before the name of a template of the service, in the address. */
const OF_SERVICE = 'service:';

type Choice = 'replace' | 'keep';

/** The records of a service, with the records of the zone that contradict them. Adds to the pending changes only. */
export function TemplateDialog({ template: chosen, mayDelete, onChoose, onClose }: Props) {
  const { zone, etag, place } = useOpenZone();
  const { data: ofService = [] } = useStoredTemplates();
  const others = ofService.filter((one) => !isOfConsole(one));
  const template = isTemplate(chosen) ? chosen : null;
  const stored = others.find(({ name }) => OF_SERVICE + name === chosen) ?? null;
  const { entries } = usePending(place);
  const [values, setValues] = useState<Values>({});
  const [choices, setChoices] = useState<Readonly<Record<string, Choice>>>({});
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const status = useStatus();

  const wanted =
    stored !== null ? recordsIn(stored, zone.name) : template === null ? [] : recordsOf(template, values, zone.name);
  const isChosen = template !== null || stored !== null;
  const present = useStoredRecords(zone.id, [...new Set(wanted.map(({ name }) => name))]);
  const sets = setsOf(wanted, present.records, entries);
  const choiceOf = ({ id, prefersKeep }: TemplateSet): Choice =>
    mayDelete ? (choices[id] ?? (prefersKeep ? 'keep' : 'replace')) : 'keep';
  const keeps = new Set(sets.filter((set) => set.rivals.length > 0 && choiceOf(set) === 'keep').map(({ id }) => id));
  const missing = template === null ? [] : fieldsOf(template).filter((field) => isMissing(field, values));

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!isChosen || missing.length > 0) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      return;
    }
    if (present.isPending || present.error !== null) return;
    const before = entries.length;
    let after = before;
    changePending(place, (pending) => {
      const next = withTemplate(pending, sets, keeps, { etag, serial: zone.serial });
      after = next.entries.length;
      return next;
    });
    status.show({ content: after === before ? words.templates.nothing : words.templates.added(after - before) });
    onClose();
  };

  return (
    <DialogFrame title={words.templates.title} onClose={onClose}>
      <form ref={form} noValidate onSubmit={submit}>
        <TemplateChoice
          template={isChosen ? chosen : null}
          others={others}
          isMissing={isTried && !isChosen}
          onChoose={(name) => {
            onChoose(name);
            setTried(false);
          }}
        />
        {isChosen && (
          <>
            <p>{template === null ? <ShownText text={stored?.description ?? ''} /> : words.templates.says[template]}</p>
            {(template === null ? [] : fieldsOf(template)).map(({ name, isRequired }) => {
              const { label = '', hint = '' } = words.templates.fields[template ?? '']?.[name] ?? {};
              return (
                <Field
                  key={`${chosen} ${name}`}
                  label={label}
                  isOptional={!isRequired}
                  hint={hint}
                  error={
                    isTried && missing.some((field) => field.name === name) ? words.form.missing(label) : undefined
                  }
                >
                  {(control) => (
                    <input
                      {...control}
                      autoComplete="off"
                      spellCheck={false}
                      value={values[name] ?? ''}
                      onChange={({ target }) => setValues((before) => ({ ...before, [name]: target.value }))}
                    />
                  )}
                </Field>
              );
            })}
            {present.error !== null && <Trouble error={present.error} isRetried />}
            <Records sets={sets} keeps={keeps} zone={zone.name} />
            <Clashes
              sets={sets}
              zone={zone.name}
              mayDelete={mayDelete}
              choiceOf={choiceOf}
              onChoose={(id, choice) => setChoices((before) => ({ ...before, [id]: choice }))}
            />
          </>
        )}
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="primary" aria-disabled={(isChosen && present.isPending) || undefined}>
            {words.templates.submit}
          </button>
        </div>
      </form>
    </DialogFrame>
  );
}

const isMissing = ({ name, isRequired }: ReturnType<typeof fieldsOf>[number], values: Values): boolean =>
  isRequired && (values[name] ?? '').trim() === '';

interface ChoiceProps {
  readonly template: string | null;
  readonly others: readonly Template[];
  readonly isMissing: boolean;
  readonly onChoose: (template: string) => void;
}

function TemplateChoice({ template, others, isMissing: isFaulty, onChoose }: ChoiceProps) {
  const id = useId();
  const choices = [
    ...TEMPLATE_NAMES.map((name) => ({ value: name, label: words.templates.names[name] })),
    ...others.map(({ name }) => ({ value: OF_SERVICE + name, label: name })),
  ];
  return (
    <fieldset aria-describedby={isFaulty ? id : undefined}>
      <legend>{words.templates.choose}</legend>
      <div className="templates">
        {choices.map(({ value, label }, index) => (
          <label key={value} className="check">
            <input
              type="radio"
              name="template"
              autoFocus={template === null ? index === 0 : value === template}
              aria-invalid={isFaulty || undefined}
              checked={template === value}
              onChange={() => onChoose(value)}
            />
            <ShownText text={label} />
          </label>
        ))}
      </div>
      {isFaulty && (
        <div id={id} className="error">
          {words.templates.missing}
        </div>
      )}
    </fieldset>
  );
}

interface SetProps {
  readonly sets: readonly TemplateSet[];
  readonly zone: string;
}

function Records({ sets, keeps, zone }: SetProps & { readonly keeps: ReadonlySet<string> }) {
  const { columns, states, table } = words.templates;
  const rows = sets.flatMap(({ id, records, present }) =>
    records.map((record) => ({
      record,
      state: present.includes(record) ? states.present : keeps.has(id) ? states.kept : states.new,
    })),
  );
  return (
    <table className="list template-records" aria-label={table}>
      <thead>
        <tr>
          <th>{columns.name}</th>
          <th>{columns.type}</th>
          <th>{columns.data}</th>
          <th>{columns.state}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ record, state }, index) => (
          <tr key={index}>
            <td>
              <ShownText text={relativeName(record.name, zone)} longest={100} />
            </td>
            <td>{record.type}</td>
            <td>
              <ShownText text={dataOf(record)} longest={200} />
            </td>
            <td>{state}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ClashProps extends SetProps {
  readonly mayDelete: boolean;
  readonly choiceOf: (set: TemplateSet) => Choice;
  readonly onChoose: (id: string, choice: Choice) => void;
}

/** The records of the zone that contradict the template, each set with a choice. */
function Clashes({ sets, zone, mayDelete, choiceOf, onChoose }: ClashProps) {
  const clashes = sets.filter(({ rivals }) => rivals.length > 0);
  return (
    <div role="group" aria-label={words.templates.conflicts} aria-live="polite">
      {clashes.map((set) => {
        const [{ name, type } = { name: zone, type: '' }] = set.records;
        return (
          <fieldset key={set.id} className="clash">
            <legend>
              <ShownText text={words.templates.conflict(relativeName(name, zone), type)} longest={120} />
            </legend>
            <div className="hint">{words.templates.existing}</div>
            <ul>
              {set.rivals.map(({ key, shown }) => (
                <li key={key}>
                  <ShownText text={`${shown.type} ${dataOf(shown)}`} longest={200} />
                </li>
              ))}
            </ul>
            {mayDelete ? (
              (['replace', 'keep'] as const).map((choice) => (
                <label key={choice} className="check">
                  <input
                    type="radio"
                    name={`clash ${set.id}`}
                    checked={choiceOf(set) === choice}
                    onChange={() => onChoose(set.id, choice)}
                  />
                  {words.templates[choice](choice === 'replace' ? set.rivals.length : set.records.length)}
                </label>
              ))
            ) : (
              <p className="hint">{words.templates.notPermitted}</p>
            )}
          </fieldset>
        );
      })}
    </div>
  );
}

const dataOf = ({ data, priority }: TemplateRecord): string => (priority === null ? data : `${priority} ${data}`);
