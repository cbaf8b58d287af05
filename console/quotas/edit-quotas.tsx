import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import { Refusal } from '../api/errors.js';
import type { Usage } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { QUOTAS, type QuotaName } from './quota-names.js';

type Typed = Readonly<Record<QuotaName, string>>;

interface Props {
  readonly usage: Usage;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Lets an admin set tenant quotas; sends only changed ones. */
export function EditQuotas({ usage, onClose, onSaved }: Props) {
  const [typed, setTyped] = useState(() => limitsIn(usage));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [trouble, setTrouble] = useState<unknown>(null);
  const status = useStatus();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const before = limitsIn(usage);
    const changed = QUOTAS.filter((name) => typed[name].trim() !== before[name]);
    const bad = changed.filter((name) => !/^\d+$/.test(typed[name].trim()));
    setFaults(Object.fromEntries(bad.map((name) => [name, words.quotas.badLimit])));
    if (bad.length > 0) return;
    const quota = Object.fromEntries(changed.map((name) => [name, Number(typed[name])]));
    try {
      await ask(`/admin/quotas/${encodeURIComponent(usage.tenant_id)}`, { method: 'PATCH', json: { quota } });
      status.show({ content: words.quotas.saved });
      onSaved();
    } catch (error) {
      const fields = error instanceof Refusal ? error.fields : [];
      setFaults(Object.fromEntries(fields.map(({ path, message }) => [path.replace(/^quota\./, ''), message])));
      setTrouble(error);
    }
  };
  return (
    <DialogFrame title={words.quotas.edit} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {trouble !== null && <Trouble error={trouble} />}
        <p>
          <ShownText text={words.quotas.editOf(usage.tenant_id)} />
        </p>
        {QUOTAS.map((name) => (
          <Field key={name} label={words.quotas.limits[name]} error={faults[name]}>
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                value={typed[name]}
                onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
              />
            )}
          </Field>
        ))}
        <DialogButtons submit={words.quotas.save} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}

const limitsIn = ({ quotas }: Usage): Typed =>
  // The names in the list.
  Object.fromEntries(QUOTAS.map((name) => [name, String(quotas[name].limit ?? '')])) as Typed;
