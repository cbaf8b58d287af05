import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api/client.js';
import { Refusal } from '../api/errors.js';
import { zoneKey } from '../api/queries.js';
import { NOTHING_PENDING } from '../changes/pending.js';
import { changePending } from '../changes/pending-store.js';
import { useOpening } from '../frame/use-opening.js';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Deletes a zone after the user types its name. */
export function DeleteZone() {
  const { values, open, close } = useOpening('dialog');
  return (
    <div className="settings">
      <h3>{words.settings.delete}</h3>
      <p>{words.settings.deleteHint}</p>
      <button type="button" className="danger" onClick={() => open({ dialog: 'delete' })}>
        {words.settings.delete}
      </button>
      {values.dialog === 'delete' && <DeleteDialog onClose={close} />}
    </div>
  );
}

function DeleteDialog({ onClose }: { readonly onClose: () => void }) {
  const { zone, etag, place } = useOpenZone();
  const [typed, setTyped] = useState('');
  const [isForced, setForced] = useState(false);
  const [trouble, setTrouble] = useState<unknown>(null);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const status = useStatus();
  const isSigned = isOfDs(trouble);
  const isConfirmed = (isForced || !isSigned) && typed.trim().toLowerCase() === zone.name.toLowerCase();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!isConfirmed) return;
    try {
      await ask(`/v1/domains/${zone.id}${isForced ? '?force=true' : ''}`, { method: 'DELETE', ifMatch: etag });
      changePending(place, () => NOTHING_PENDING);
      navigate('/zones', { replace: true });
      queries.removeQueries({ queryKey: zoneKey(zone.name) });
      await queries.invalidateQueries({ queryKey: ['zones'] });
      status.show({ content: <ShownText text={words.settings.deleted(zone.name)} /> });
    } catch (error) {
      setTrouble(error);
      // Another user changed the zone first: the user must confirm again.
      void queries.invalidateQueries({ queryKey: zoneKey(zone.name) });
    }
  };
  return (
    <DialogFrame title={words.settings.delete} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        {trouble !== null && !isSigned && <Trouble error={trouble} />}
        {isSigned && (
          <p role="alert" className="trouble">
            <ShownText text={words.settings.deleteSigned(zone.name)} />
          </p>
        )}
        <p>
          <ShownText text={words.settings.deleteQuestion(zone.name)} />
        </p>
        <Field label={words.plan.confirm(zone.name)}>
          {(control) => (
            <input
              {...control}
              value={typed}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {isSigned && (
          <label className="check">
            <input type="checkbox" checked={isForced} onChange={({ target }) => setForced(target.checked)} />{' '}
            {words.settings.deleteAnyway}
          </label>
        )}
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {words.common.cancel}
          </button>
          <button type="submit" className="danger" disabled={!isConfirmed}>
            {words.settings.deleteButton}
          </button>
        </div>
      </form>
    </DialogFrame>
  );
}

/** A zone with a DS that resolvers may still use needs an extra confirmation. */
const isOfDs = (trouble: unknown): boolean => trouble instanceof Refusal && trouble.type === 'dnssec_conflict';
