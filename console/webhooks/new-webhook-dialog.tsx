import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import { Refusal } from '../api/errors.js';
import type { WebhookWithSecret } from '../api/types.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { entriesOf } from '../parts/entries.js';
import { Field } from '../parts/field.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { WebhookEvents } from './webhook-events.js';

interface Props {
  readonly onClose: () => void;
  readonly onMade: (webhook: WebhookWithSecret) => void;
}

export function NewWebhookDialog({ onClose, onMade }: Props) {
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [domains, setDomains] = useState('');
  const [actions, setActions] = useState<readonly string[]>([]);
  const [fault, setFault] = useState<string | undefined>();
  const [trouble, setTrouble] = useState<unknown>(null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setTrouble(null);
    setFault(url.trim() === '' ? words.webhooks.urlMissing : undefined);
    if (url.trim() === '') return;
    const names = entriesOf(domains);
    const json = {
      url: url.trim(),
      ...(description.trim() !== '' && { description: description.trim() }),
      ...(names.length > 0 && { domains: names }),
      ...(actions.length > 0 && { actions }),
    };
    try {
      onMade((await ask<WebhookWithSecret>('/v1/webhooks', { method: 'POST', json })).body);
    } catch (error) {
      const ofUrl = error instanceof Refusal ? error.fields.find(({ path }) => path === 'url')?.message : undefined;
      setFault(ofUrl);
      if (ofUrl === undefined) setTrouble(error);
    }
  };
  return (
    <DialogFrame title={words.webhooks.new} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {trouble !== null && <Trouble error={trouble} />}
        <Field label={words.webhooks.url} hint={words.webhooks.urlHint} error={fault}>
          {(control) => (
            <input
              {...control}
              value={url}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={2048}
              onChange={({ target }) => setUrl(target.value)}
            />
          )}
        </Field>
        <Field label={words.webhooks.description}>
          {(control) => (
            <input
              {...control}
              value={description}
              autoComplete="off"
              maxLength={160}
              onChange={({ target }) => setDescription(target.value)}
            />
          )}
        </Field>
        <Field label={words.webhooks.domains} hint={words.webhooks.domainsHint}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              spellCheck={false}
              value={domains}
              onChange={({ target }) => setDomains(target.value)}
            />
          )}
        </Field>
        <WebhookEvents chosen={actions} onChange={setActions} />
        <DialogButtons submit={words.webhooks.create} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}
