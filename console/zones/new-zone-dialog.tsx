import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api/client.js';
import { useWhoami } from '../api/queries.js';
import { isUnanswered, Refusal } from '../api/errors.js';
import type { Template, Zone } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { useStatus } from '../frame/status.js';
import { ChosenFile } from '../import/chosen-file.js';
import { handOver } from '../import/handed-over.js';
import { useReading } from '../import/use-reading.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { asciiOf } from '../parts/idn.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { lineOf, recordsIn, useStoredTemplates } from '../templates/stored-templates.js';
import { words } from '../words/index.js';
import { zoneAddress } from './zone-address.js';

interface Faults {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly whole?: unknown;
}

export function NewZoneDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [template, setTemplate] = useState('');
  const { data: templates = [] } = useStoredTemplates();
  const [file, setFile] = useState<string | null>(null);
  const [fileFault, setFileFault] = useState<string | undefined>();
  const { data: whoami } = useWhoami();
  const [faults, setFaults] = useState<Faults>({});
  // A repetition after a lost answer makes no second zone.
  const [key, setKey] = useState<string>(() => crypto.randomUUID());
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const status = useStatus();
  const absolute = absoluteName(name);

  const reading = useReading();
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (reading.sendsLater(event.currentTarget)) return;
    const missing = missingIn(name, email);
    if (missing !== null) {
      setFaults(missing);
      return;
    }
    try {
      const json = { name: absolute, email: email.trim(), ...(template !== '' && { template }) };
      const { body } = await ask<Zone>('/v1/domains', { method: 'POST', json, idempotencyKey: key });
      status.show({ content: words.newZone.created(body.name) });
      await queries.invalidateQueries({ queryKey: ['zones'] });
      if (file !== null) handOver(body.name, file);
      // Back leads to the zones, without the dialog.
      navigate(zoneAddress(body.name, file === null ? 'records' : 'import'), { replace: true });
    } catch (error) {
      if (!isUnanswered(error)) setKey(crypto.randomUUID());
      setFaults(faultsOf(error));
    }
  };

  return (
    <DialogFrame title={words.newZone.title} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {faults.whole !== undefined && <Trouble error={faults.whole} />}
        <Field label={words.newZone.name} hint={words.newZone.nameHint(absolute)} error={faults.name}>
          {(control) => (
            <input
              {...control}
              value={name}
              onChange={({ target }) => setName(target.value)}
              spellCheck={false}
              autoFocus
            />
          )}
        </Field>
        <Field label={words.newZone.email} hint={words.newZone.emailHint} error={faults.email}>
          {(control) => (
            <input {...control} value={email} onChange={({ target }) => setEmail(target.value)} spellCheck={false} />
          )}
        </Field>
        {templates.length > 0 && (
          <Field label={words.newZone.template} isOptional>
            {(control) => (
              <select {...control} value={template} onChange={({ target }) => setTemplate(target.value)}>
                <option value="">{words.newZone.noTemplate}</option>
                {templates.map(({ id, name: one }) => (
                  <option key={id}>{one}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        <TemplateLines template={templates.find(({ name: one }) => one === template)} zone={absolute} />
        <ChosenFile
          label={words.newZone.file}
          hint={words.newZone.fileHint}
          isOptional
          most={whoami?.service.max_body_size ?? Infinity}
          fault={fileFault}
          reading={reading}
          onFault={setFileFault}
          onText={(read) => {
            setFile(read);
            setFileFault(undefined);
            if (name === '') setName(originIn(read));
          }}
        />
        <DialogButtons submit={words.newZone.create} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}

interface LinesProps {
  readonly template: Template | undefined;
  readonly zone: string;
}

/** The plan of a zone that has no other records. */
function TemplateLines({ template, zone }: LinesProps) {
  if (template === undefined) return null;
  return (
    <ul className="template-lines" aria-label={words.newZone.templateRecords}>
      {recordsIn(template, zone).map((record, index) => (
        <li key={index}>
          <ShownText text={lineOf({ ...record, name: relativeName(record.name, zone) })} longest={200} />
        </li>
      ))}
    </ul>
  );
}

/** The name that a file gives to its zone; empty where it does not say. */
const originIn = (file: string): string => /^\$ORIGIN\s+(\S+)/im.exec(file)?.[1] ?? '';

function absoluteName(typed: string): string {
  const name = asciiOf(typed.trim());
  return name.endsWith('.') ? name : `${name}.`;
}

function missingIn(name: string, email: string): Faults | null {
  if (name.trim() !== '' && email.trim() !== '') return null;
  return {
    name: name.trim() === '' ? words.newZone.nameMissing : undefined,
    email: email.trim() === '' ? words.newZone.emailMissing : undefined,
  };
}

function faultsOf(error: unknown): Faults {
  if (!(error instanceof Refusal)) return { whole: error };
  const of = (path: string): string | undefined => error.fields.find((one) => one.path === path)?.message;
  const [name, email] = [of('name'), of('email')];
  return { name, email, ...(name === undefined && email === undefined && { whole: error }) };
}
