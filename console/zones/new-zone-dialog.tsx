import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api/client.js';
import { useWhoami } from '../api/queries.js';
import { isUnanswered, Refusal } from '../api/errors.js';
import type { Zone } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { ChosenFile } from '../import/chosen-file.js';
import { handOver } from '../import/handed-over.js';
import { useReading } from '../import/use-reading.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { asciiOf } from '../parts/idn.js';
import { Trouble } from '../parts/trouble.js';
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
      const json = { name: absolute, email: email.trim() };
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
