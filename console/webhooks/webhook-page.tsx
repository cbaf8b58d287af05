import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ask } from '../api/client.js';
import type { Webhook, WebhookWithSecret } from '../api/types.js';
import { useWebhook } from '../api/webhooks.js';
import { useStatus } from '../frame/status.js';
import { useTitle } from '../frame/title.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { Deliveries } from './deliveries.js';
import { SecretDialog } from './secret-dialog.js';
import { eventsInWords } from './webhook-events.js';
import { WebhookState } from './webhook-state.js';

/** One webhook with its actions and deliveries. */
export function WebhookPage({ id }: { readonly id: string }) {
  useTitle(words.webhooks.heading);
  const { data, error, failureReason, refetch } = useWebhook(id);
  const trouble = error ?? failureReason;
  return (
    <>
      <h1>{words.webhooks.heading}</h1>
      <p>
        <Link href="/webhooks">{words.webhooks.all}</Link>
      </p>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={4} columns={[1, 3]} />}
      {data !== undefined && <OpenWebhook webhook={data} />}
    </>
  );
}

function OpenWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { overflowed_at: overflowedAt } = webhook;
  return (
    <>
      <h2>
        <ShownText text={webhook.url} /> <WebhookState webhook={webhook} />
      </h2>
      {webhook.description !== null && (
        <p>
          <ShownText text={webhook.description} />
        </p>
      )}
      {webhook.actions !== null && <p>{words.webhooks.onlyEvents(eventsInWords(webhook.actions))}</p>}
      {overflowedAt !== null && (
        <p className="notice">
          {words.webhooks.overflowed} <Moment at={overflowedAt} />
        </p>
      )}
      <WebhookActions webhook={webhook} />
      <Deliveries webhookId={webhook.id} />
    </>
  );
}

function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const path = `/v1/webhooks/${webhook.id}`;
  const [rotated, setRotated] = useState<WebhookWithSecret | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const status = useStatus();
  const refresh = (): Promise<unknown> =>
    Promise.all(
      [['webhook', webhook.id], ['deliveries', webhook.id], ['webhooks']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  const attempt = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act();
      await refresh();
    } catch (error) {
      status.show({ content: error instanceof Error ? error.message : words.common.failed });
    }
  };
  const test = async (): Promise<void> => {
    await ask(`${path}/test`, { method: 'POST', json: {} });
    status.show({ content: words.webhooks.tested });
  };
  const rotate = async (): Promise<void> => {
    setRotated((await ask<WebhookWithSecret>(`${path}/rotate`, { method: 'POST', json: {} })).body);
  };
  const remove = async (): Promise<void> => {
    await ask(path, { method: 'DELETE' });
    setDeleting(false);
    status.show({ content: words.webhooks.deleted });
    navigate('/webhooks');
  };
  const toggle = (): Promise<unknown> => ask(path, { method: 'PATCH', json: { enabled: !webhook.enabled } });
  return (
    <div className="tools">
      <button type="button" onClick={() => void attempt(test)}>
        {words.webhooks.test}
      </button>
      <button type="button" onClick={() => void attempt(rotate)}>
        {words.webhooks.rotate}
      </button>
      <button type="button" onClick={() => void attempt(toggle)}>
        {webhook.enabled ? words.webhooks.disable : words.webhooks.enable}
      </button>
      <button type="button" className="danger" onClick={() => setDeleting(true)}>
        {words.webhooks.delete}
      </button>
      {rotated !== null && (
        <SecretDialog title={words.webhooks.rotatedTitle} webhook={rotated} onClose={() => setRotated(null)} />
      )}
      {isDeleting && (
        <DialogFrame title={words.webhooks.delete} onClose={() => setDeleting(false)}>
          <p>
            <ShownText text={words.webhooks.deleteQuestion(webhook.url)} />
          </p>
          <div className="buttons">
            <button type="button" onClick={() => setDeleting(false)}>
              {words.common.cancel}
            </button>
            <button type="button" className="danger" onClick={() => void attempt(remove)}>
              {words.webhooks.deleteButton}
            </button>
          </div>
        </DialogFrame>
      )}
    </div>
  );
}
