import type { FieldDescription } from '../api/types.js';
import { type ControlProps, Field } from '../parts/field.js';
import { words } from '../words/index.js';
import type { FormContent } from './form-content.js';
import { ParameterControl } from './parameter-control.js';
import { parameterOf } from './parameter.js';

interface Props {
  readonly descriptions: readonly FieldDescription[];
  /** The field that `priority` is, of types that have it. */
  readonly priority: FieldDescription | null;
  readonly content: FormContent;
  /** Data of the type, as text. */
  readonly example: string;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (changed: Partial<FormContent>) => void;
}

/** The data of a record, by the fields of its type or as one text. No type has code of its own here. */
export function DataFields({ descriptions, priority, content, example, faults, onChange }: Props) {
  if (content.isText) return <DataText {...{ priority, content, example, faults, onChange }} />;
  const setField = (name: string, typed: readonly string[]): void =>
    onChange({ fields: { ...content.fields, [name]: typed } });
  const whole = faults.data ?? faults.fields;
  return (
    <>
      {whole !== undefined && (
        <p role="alert" className="error">
          {whole}
        </p>
      )}
      {descriptions.map((description) => (
        <DataField
          key={description.name}
          description={description}
          typed={content.fields[description.name] ?? ['']}
          fault={faults[`fields.${description.name}`] ?? (description === priority ? faults.priority : undefined)}
          onChange={(typed) => setField(description.name, typed)}
        />
      ))}
    </>
  );
}

function DataText({ priority, content, example, faults, onChange }: Omit<Props, 'descriptions'>) {
  return (
    <>
      {priority !== null && (
        <Field label={labelOf(priority)} error={faults['fields.priority'] ?? faults.priority}>
          {(control) => (
            <input
              {...control}
              name="fields.priority"
              inputMode="numeric"
              value={content.priority}
              onChange={({ target }) => onChange({ priority: target.value })}
            />
          )}
        </Field>
      )}
      <Field
        label={words.form.text}
        error={faults.data}
        hint={example === '' ? undefined : words.form.example(example)}
      >
        {(control) => (
          <textarea
            {...control}
            name="data"
            rows={3}
            spellCheck={false}
            value={content.text}
            onChange={({ target }) => onChange({ text: target.value })}
          />
        )}
      </Field>
    </>
  );
}

interface FieldProps {
  readonly description: FieldDescription;
  readonly typed: readonly string[];
  readonly fault: string | undefined;
  readonly onChange: (typed: readonly string[]) => void;
}

function DataField({ description, typed, fault, onChange }: FieldProps) {
  const label = labelOf(description);
  const set = (position: number, text: string): void =>
    onChange(typed.map((one, index) => (index === position ? text : one)));
  return (
    <>
      {typed.map((text, position) => (
        <div key={position} className="value">
          <Field
            label={position === 0 ? label : `${label} ${position + 1}`}
            isOptional={position === 0 && description.optional}
            hint={position === 0 || description.kind === 'parameter' ? hintOf(description, text) : undefined}
            error={position === 0 ? fault : undefined}
          >
            {(control) => (
              <Control
                control={control}
                description={description}
                text={text}
                onChange={(next) => set(position, next)}
              />
            )}
          </Field>
          {typed.length > 1 && (
            <button
              type="button"
              className="quiet"
              aria-label={words.form.removeValue(label, position + 1)}
              onClick={() => onChange(typed.filter((_, index) => index !== position))}
            >
              ×
            </button>
          )}
        </div>
      ))}
      {description.repeats && (
        <button type="button" className="quiet" onClick={() => onChange([...typed, ''])}>
          {words.form.addValue}
        </button>
      )}
    </>
  );
}

interface ControlValue {
  readonly control: ControlProps;
  readonly description: FieldDescription;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** One renderer for all kinds; a kind that is not known is a text. */
function Control({ control, description, text, onChange }: ControlValue) {
  const { kind, values } = description;
  const name = `fields.${description.name}`;
  const change = ({ target }: { readonly target: { readonly value: string } }): void => onChange(target.value);
  if (kind === 'choice' && values !== null)
    return (
      <select {...control} name={name} value={text} onChange={change}>
        <option value="">{words.form.choose}</option>
        {values.map(({ value, label }) => (
          <option key={String(value)} value={String(value)}>
            {words.form.choice(value, label)}
          </option>
        ))}
      </select>
    );
  if (kind === 'parameter') return <ParameterControl {...{ control, name, description, text, onChange }} />;
  if (kind === 'text' || kind === 'base64' || kind === 'hexadecimal')
    return (
      <textarea
        {...control}
        name={name}
        rows={isLong(description) ? 3 : 1}
        spellCheck={false}
        value={text}
        onChange={change}
      />
    );
  return (
    <input
      {...control}
      name={name}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === 'number' ? 'numeric' : 'text'}
      value={text}
      onChange={change}
    />
  );
}

const isLong = ({ maximum, repeats, kind }: FieldDescription): boolean =>
  kind !== 'text' || repeats || maximum === null || maximum > 80;

const encoder = new TextEncoder();

/** What is expected, and of a text how long it is; a choice says that itself. */
function hintOf({ kind, form, repeats, values }: FieldDescription, text: string): string | undefined {
  if (kind === 'parameter') return capitalized(formOfParameter(values, text) ?? form);
  if (kind === 'choice') return undefined;
  return kind === 'text' && repeats && text !== '' ? words.form.octets(encoder.encode(text).length) : capitalized(form);
}

/** What the value of this parameter is made of. */
function formOfParameter(values: FieldDescription['values'], text: string): string | undefined {
  const known = values ?? [];
  const names = known.map(({ value }) => String(value));
  return known.find(({ value }) => value === parameterOf(text, names).key)?.label;
}

const labelOf = ({ label }: FieldDescription): string => capitalized(label);

/** What the service says of fields is written for lists. */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
