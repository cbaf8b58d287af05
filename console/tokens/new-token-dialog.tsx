import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import { useWhoami } from '../api/queries.js';
import type { NewToken } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { entriesOf } from '../parts/entries.js';
import { Field } from '../parts/field.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { limitsOf, type Wish } from './limits.js';
import { WishFields } from './wish-fields.js';

const PRESETS = ['acme', 'zone', 'read', 'custom'] as const;
const DAY = 86_400_000;
/** The service takes no longer lists. */
const MOST_ENTRIES = 100;

interface Props {
  /** What the address asks for. */
  readonly preset: string | null;
  readonly onClose: () => void;
  /** @param host the first host of a token for certificates */
  readonly onMade: (token: NewToken, host: string | null) => void;
}

/** A token that may do what it is for, and nothing else. */
export function NewTokenDialog({ preset, onClose, onMade }: Props) {
  const { data: whoami } = useWhoami();
  const [wish, setWish] = useState<Wish>(() => emptyWish(PRESETS.find((one) => one === preset) ?? 'acme'));
  const [description, setDescription] = useState('');
  const [days, setDays] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const [trouble, setTrouble] = useState<unknown>(null);

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const limits = limitsOf(wish, whoami?.limits.domains ?? null);
    const missing = missingIn(wish, limits);
    setFault(missing);
    if (missing !== undefined) return;
    const json = {
      ...limits,
      ...(description.trim() !== '' && { description: description.trim() }),
      ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * DAY).toISOString() }),
    };
    try {
      const { body } = await ask<NewToken>('/v1/tokens', { method: 'POST', json });
      onMade(body, wish.preset === 'acme' ? (entriesOf(wish.hosts)[0] ?? null) : null);
    } catch (error) {
      setTrouble(error);
    }
  };
  return (
    <DialogFrame title={words.tokens.new} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {trouble !== null && <Trouble error={trouble} />}
        <fieldset>
          <legend>{words.tokens.preset}</legend>
          {PRESETS.map((one) => (
            <label key={one} className="check">
              <input
                type="radio"
                name="preset"
                checked={wish.preset === one}
                onChange={() => {
                  setWish(emptyWish(one));
                  setFault(undefined);
                }}
              />
              {words.tokens.presets[one]}
            </label>
          ))}
        </fieldset>
        <WishFields wish={wish} fault={fault} onChange={setWish} />
        <div className="columns">
          <Field label={words.tokens.description} hint={words.tokens.descriptionHint}>
            {(control) => (
              <input
                {...control}
                value={description}
                maxLength={160}
                autoComplete="off"
                onChange={({ target }) => setDescription(target.value)}
              />
            )}
          </Field>
          <Field label={words.tokens.expires}>
            {(control) => (
              <select {...control} value={days} onChange={({ target }) => setDays(target.value)}>
                {words.tokens.expiry.map(({ days: value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="primary">
            {words.tokens.create}
          </button>
        </div>
      </form>
    </DialogFrame>
  );
}

function emptyWish(preset: Wish['preset']): Wish {
  switch (preset) {
    case 'acme':
      return { preset, hosts: '' };
    case 'zone':
      return { preset, zone: '' };
    case 'read':
      return { preset };
    case 'custom':
      return { preset, domains: '', names: '', types: '', networks: '', actions: ['create', 'update', 'delete'] };
  }
}

function missingIn(wish: Wish, limits: ReturnType<typeof limitsOf>): string | undefined {
  if (wish.preset === 'acme' && entriesOf(wish.hosts).length === 0) return words.tokens.hostsMissing;
  if (wish.preset === 'acme' && (limits.domains?.length ?? 0) > MOST_ENTRIES)
    return words.tokens.tooManyHosts(MOST_ENTRIES);
  if (wish.preset === 'zone' && wish.zone.trim() === '') return words.tokens.zoneMissing;
  if (wish.preset === 'custom' && wish.actions.length === 0) return words.tokens.actionMissing;
  return undefined;
}
