import type { ReactNode } from 'react';
import type { FieldDescription } from '../api/types.js';
import { type ControlProps, Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import type { FormContent } from './form-content.js';
import { isName } from './field-values.js';
import { KnownValueControl } from './known-value-control.js';
import { otherTargetName, targetName } from './names.js';
import { ParameterControl } from './parameter-control.js';
import { parameterOf } from './parameter.js';
import { joinedStrings, MOST_SPF_LOOKUPS, spfLookups } from './spf.js';

interface Props {
  readonly descriptions: readonly FieldDescription[];
  /** The field that `priority` is, of types that have it. */
  readonly priority: FieldDescription | null;
  readonly zone: string;
  readonly content: FormContent;
  /** Data of the type, as text. */
  readonly example: string;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (changed: Partial<FormContent>) => void;
}

/** The data of a record, by the fields of its type or as one text. Has no code for single types, except SPF values. */
export function DataFields(props: Props) {
  return (
    <>
      {props.content.isText ? <DataText {...props} /> : <Fields {...props} />}
      <SpfHint content={props.content} />
    </>
  );
}

function Fields({ descriptions, priority, zone, content, faults, onChange }: Props) {
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
          key={`${content.type}.${description.name}`}
          description={description}
          type={content.type}
          zone={zone}
          typed={content.fields[description.name] ?? ['']}
          fault={faults[`fields.${description.name}`] ?? (description === priority ? faults.priority : undefined)}
          onChange={(typed) => setField(description.name, typed)}
        />
      ))}
    </>
  );
}

function DataText({ priority, content, example, faults, onChange }: Props) {
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

/** The DNS lookups of a value that receivers of mail read. */
function SpfHint({ content: { type, isText, text, fields } }: Pick<Props, 'content'>) {
  if (type !== 'TXT' && type !== 'SPF') return null;
  const lookups = spfLookups(isText ? joinedStrings(text) : Object.values(fields).flat().join(''));
  if (lookups === null) return null;
  const isTooMany = lookups > MOST_SPF_LOOKUPS;
  return (
    <p className={isTooMany ? 'notice' : 'hint'}>
      {(isTooMany ? words.form.spfTooMany : words.form.spfLookups)(lookups, MOST_SPF_LOOKUPS)}
    </p>
  );
}

interface FieldProps {
  readonly description: FieldDescription;
  readonly type: string;
  readonly zone: string;
  readonly typed: readonly string[];
  readonly fault: string | undefined;
  readonly onChange: (typed: readonly string[]) => void;
}

function DataField({ description, type, zone, typed, fault, onChange }: FieldProps) {
  const label = labelOf(description);
  const usual = words.form.fieldHints[`${type}.${description.name}`];
  const set = (position: number, text: string): void =>
    onChange(typed.map((one, index) => (index === position ? text : one)));
  return (
    <>
      {typed.map((text, position) => (
        <div key={position} className="value">
          <Field
            label={position === 0 ? label : `${label} ${position + 1}`}
            isOptional={position === 0 && description.optional}
            hint={withCompleted(
              completedName(description, zone, text),
              position === 0 || description.kind === 'parameter' ? (usual ?? hintOf(description, text)) : undefined,
            )}
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
          <OtherName {...{ description, zone, text }} onChange={(next) => set(position, next)} />
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

interface NameProps {
  readonly description: FieldDescription;
  readonly zone: string;
  readonly text: string;
}

/** The full form of an incomplete name; `null` for a full name, and for other fields. */
function completedName(description: FieldDescription, zone: string, text: string): string | null {
  const name = targetName(text, zone);
  return isName(description) && name !== text.trim() ? name : null;
}

function withCompleted(name: string | null, hint: string | undefined): ReactNode {
  if (name === null) return hint;
  return (
    <>
      <ShownText text={words.form.fullName(name)} /> {hint}
    </>
  );
}

/** Offers the other reading of a name such as `mail.dc1`: below the zone. */
function OtherName({ description, zone, text, onChange }: NameProps & Pick<ControlValue, 'onChange'>) {
  const other = isName(description) ? otherTargetName(text, zone) : null;
  if (other === null) return null;
  return (
    <button type="button" className="quiet" onClick={() => onChange(other)}>
      <ShownText text={words.form.useName(other)} />
    </button>
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
  if (values !== null && values.length > 0)
    return <KnownValueControl {...{ control, name, description, text, onChange }} />;
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

/** The expected form, and the length of a text; a choice shows its own options. */
function hintOf({ kind, form, repeats, values }: FieldDescription, text: string): string | undefined {
  if (kind === 'parameter') return capitalized(formOfParameter(values, text) ?? form);
  if (kind === 'choice') return undefined;
  return kind === 'text' && repeats && text !== '' ? words.form.octets(encoder.encode(text).length) : capitalized(form);
}

/** The form of this parameter's value. */
function formOfParameter(values: FieldDescription['values'], text: string): string | undefined {
  const known = values ?? [];
  const names = known.map(({ value }) => String(value));
  return known.find(({ value }) => value === parameterOf(text, names).key)?.label;
}

const labelOf = ({ label }: FieldDescription): string => capitalized(label);

/** Service descriptions of fields are in lower case, for lists. */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
