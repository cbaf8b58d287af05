import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ask } from '../api/client.js';
import { seeZoneAt } from '../api/queries.js';
import { useStatus } from '../frame/status.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';

/** Takes over a zone that another tenant offers. */
export function AcceptDialog({ onClose }: { readonly onClose: () => void }) {
  const [id, setId] = useState('');
  const [key, setKey] = useState('');
  const [isTried, setTried] = useState(false);
  const [trouble, setTrouble] = useState<unknown>(null);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const status = useStatus();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (id.trim() === '' || key.trim() === '') return;
    try {
      const json = { zone_transfer_request_id: id.trim(), key: key.trim() };
      const path = '/v2/zones/tasks/transfer_accepts';
      const { body } = await ask<{ readonly zone_id: string }>(path, { method: 'POST', json });
      await queries.invalidateQueries({ queryKey: ['zones'] });
      const { zone } = await seeZoneAt(body.zone_id);
      status.show({ content: <ShownText text={words.transfer.accepted(zone.name)} /> });
      navigate(zoneAddress(zone.name, 'records'), { replace: true });
    } catch (error) {
      setTrouble(error);
    }
  };
  const missing = (text: string, sentence: string): string | undefined =>
    isTried && text.trim() === '' ? sentence : undefined;
  return (
    <DialogFrame title={words.transfer.accept} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {trouble !== null && <Trouble error={trouble} />}
        <p>{words.transfer.acceptHint}</p>
        <Field label={words.transfer.id} error={missing(id, words.transfer.idMissing)}>
          {(control) => (
            <input
              {...control}
              value={id}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setId(target.value)}
            />
          )}
        </Field>
        <Field label={words.transfer.key} error={missing(key, words.transfer.keyMissing)}>
          {(control) => (
            <input
              {...control}
              value={key}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => setKey(target.value)}
            />
          )}
        </Field>
        <DialogButtons submit={words.transfer.acceptButton} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}
