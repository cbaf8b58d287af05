import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useWhoami } from '../api/queries.js';
import type { Webhook, WebhookWithSecret } from '../api/types.js';
import { useWebhooks } from '../api/webhooks.js';
import { useOpening } from '../frame/use-opening.js';
import { useTitle } from '../frame/title.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Empty } from '../parts/empty.js';
import { Moment } from '../parts/moment.js';
import { ShownLabels } from '../parts/label-lines.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { permittedTo } from '../session/permitted.js';
import { words } from '../words/index.js';
import { NewWebhookDialog } from './new-webhook-dialog.js';
import { SecretDialog } from './secret-dialog.js';
import { WebhookState } from './webhook-state.js';

/** The webhooks of the tenant. */
export function WebhooksPage() {
  useTitle(words.webhooks.heading);
  const { data: whoami } = useWhoami();
  const isOn = whoami?.extensions.includes('webhooks') ?? false;
  const { data, error, failureReason, refetch } = useWebhooks(isOn);
  const { values, open, close } = useOpening('dialog');
  const makeNew = (): void => open({ dialog: 'new' });
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const [, navigate] = useLocation();
  const trouble = error ?? failureReason;
  if (whoami !== undefined && !isOn)
    return (
      <>
        <h1>{words.webhooks.heading}</h1>
        <Empty
          icon="webhooks"
          actions={[
            { label: words.states.go.zones, to: '/zones' },
            { label: words.states.go.allChanges, to: '/changes' },
          ]}
        >
          {words.webhooks.off}
        </Empty>
      </>
    );
  return (
    <>
      <div className="heading">
        <h1>{words.webhooks.heading}</h1>
        {permittedTo(whoami).makeZones && (
          <button type="button" className="primary" onClick={makeNew}>
            {words.webhooks.new}
          </button>
        )}
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={4} columns={[3, 2, 2, 1, 1]} />}
      {data !== undefined && data.webhooks.length > 0 && <WebhooksTable webhooks={data.webhooks} />}
      {data?.webhooks.length === 0 && (
        <Empty
          icon="webhooks"
          actions={[
            permittedTo(whoami).makeZones && { label: words.states.go.newWebhook, to: makeNew },
            { label: words.states.go.allChanges, to: '/changes' },
          ]}
        >
          {words.webhooks.none}
        </Empty>
      )}
      {values.dialog === 'new' && made === null && permittedTo(whoami).makeZones && (
        <NewWebhookDialog
          onClose={close}
          onMade={(webhook) => {
            close();
            setMade(webhook);
            void refetch();
          }}
        />
      )}
      {made !== null && (
        <SecretDialog
          title={words.webhooks.createdTitle}
          webhook={made}
          onClose={() => {
            setMade(null);
            navigate(`/webhooks/${made.id}`);
          }}
        />
      )}
    </>
  );
}

function WebhooksTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const { columns } = words.webhooks;
  return (
    <table className="list" aria-label={words.webhooks.heading}>
      <ColumnHeads labels={columns} />
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id}>
            <td>
              <Link href={`/webhooks/${webhook.id}`}>
                <ShownText text={webhook.url} />
              </Link>
            </td>
            <td data-label={columns.description}>
              <ShownText text={webhook.description ?? ''} />
            </td>
            <td data-label={columns.domains}>
              <ShownText text={webhook.domains?.join(', ') ?? words.webhooks.allZones} />{' '}
              {webhook.labels !== undefined && <ShownLabels labels={webhook.labels} />}
            </td>
            <td data-label={columns.state}>
              <WebhookState webhook={webhook} />
            </td>
            <td data-label={columns.created}>
              <Moment at={webhook.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
