import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import { Refusal } from '../api/errors.js';
import type { Template } from '../api/types.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { lineOf, recordIn } from './stored-templates.js';

interface Props {
  /** The template to change, or to copy; `null`: an empty one. */
  readonly template: Template | null;
  readonly isCopy: boolean;
  readonly mayShare: boolean;
  readonly onClose: () => void;
  readonly onSaved: (template: Template) => void;
}

interface Faults {
  readonly name?: string | undefined;
  readonly records?: string | undefined;
  readonly whole?: unknown;
}

export function EditTemplateDialog({ template, isCopy, mayShare, onClose, onSaved }: Props) {
  const [name, setName] = useState(template?.name ?? '');
  const [description, setDescription] = useState(template?.description ?? '');
  const [lines, setLines] = useState(template?.records.map(lineOf).join('\n') ?? '');
  const [isForAll, setForAll] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const isNew = template === null || isCopy;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const read = readLines(lines);
    if (typeof read.records === 'string') {
      setFaults({ records: read.records });
      return;
    }
    const json = {
      ...{
        name: name.trim(),
        description: description.trim() === '' ? null : description.trim(),
        records: read.records,
      },
      ...(isNew && isForAll && { for_all_tenants: true }),
    };
    try {
      const path = isNew ? '/v1/templates' : `/v1/templates/${template.id}`;
      onSaved((await ask<Template>(path, { method: isNew ? 'POST' : 'PATCH', json })).body);
    } catch (error) {
      setFaults(faultsOf(error, read.numbers));
    }
  };
  return (
    <DialogFrame title={isNew ? words.templates.new : words.templates.edit(template.name)} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {faults.whole !== undefined && <Trouble error={faults.whole} />}
        <Field label={words.templates.name} hint={words.templates.nameHint} error={faults.name}>
          {(control) => (
            <input
              {...control}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={63}
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Field label={words.templates.description} isOptional>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              maxLength={160}
              value={description}
              onChange={({ target }) => setDescription(target.value)}
            />
          )}
        </Field>
        <Field label={words.templates.lines} hint={words.templates.linesHint} error={faults.records}>
          {(control) => (
            <textarea
              {...control}
              className="template-lines"
              rows={8}
              spellCheck={false}
              value={lines}
              onChange={({ target }) => setLines(target.value)}
            />
          )}
        </Field>
        {isNew && mayShare && (
          <label className="check">
            <input type="checkbox" checked={isForAll} onChange={({ target }) => setForAll(target.checked)} />
            {words.templates.forAll}
          </label>
        )}
        <DialogButtons submit={words.templates.save} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}

interface ReadLines {
  /** A text: the first fault. */
  readonly records: Template['records'] | string;
  /** The line of each record. */
  readonly numbers: readonly number[];
}

function readLines(text: string): ReadLines {
  const lines = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1 }]));
  const numbers = lines.map(({ number }) => number);
  if (lines.length === 0) return { records: words.templates.noLines, numbers };
  const records: Template['records'] = [];
  for (const { line, number } of lines) {
    const record = recordIn(line);
    if (record === null) return { records: words.templates.faultyLine(number), numbers };
    records.push(record);
  }
  return { records, numbers };
}

/** Names lines instead of `records[2].data`. */
function faultsOf(error: unknown, numbers: readonly number[]): Faults {
  if (!(error instanceof Refusal)) return { whole: error };
  const name = error.fields.find(({ path }) => path === 'name')?.message;
  const records = error.fields.flatMap(({ path, message }) => {
    if (!path.startsWith('records')) return [];
    const number = numbers[Number(/^records\[(\d+)\]/.exec(path)?.[1] ?? NaN)];
    return [number === undefined ? message : words.templates.lineFault(number, message)];
  });
  if (name === undefined && records.length === 0) return { whole: error };
  return { name, records: records.length === 0 ? undefined : records.slice(0, 3).join(' ') };
}
