import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useWhoami } from '../api/queries.js';
import type { Webhook, WebhookWithSecret } from '../api/types.js';
import { useWebhooks } from '../api/webhooks.js';
import { useTitle } from '../frame/title.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { NewWebhookDialog } from './new-webhook-dialog.js';
import { SecretDialog } from './secret-dialog.js';
import { WebhookState } from './webhook-state.js';

/** Who is told of changes. */
export function WebhooksPage() {
  useTitle(words.webhooks.heading);
  const { data: whoami } = useWhoami();
  const isOn = whoami?.extensions.includes('webhooks') ?? false;
  const { data, error, failureReason, refetch } = useWebhooks(isOn);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  const [, navigate] = useLocation();
  const trouble = error ?? failureReason;
  if (whoami !== undefined && !isOn)
    return (
      <>
        <h1>{words.webhooks.heading}</h1>
        <p className="empty">{words.webhooks.off}</p>
      </>
    );
  return (
    <>
      <div className="heading">
        <h1>{words.webhooks.heading}</h1>
        <button type="button" className="primary" onClick={() => setMaking(true)}>
          {words.webhooks.new}
        </button>
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={4} />}
      {data !== undefined && <WebhooksTable webhooks={data.webhooks} />}
      {data?.webhooks.length === 0 && <p className="empty">{words.webhooks.none}</p>}
      {isMaking && (
        <NewWebhookDialog
          onClose={() => setMaking(false)}
          onMade={(webhook) => {
            setMaking(false);
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
              <ShownText text={webhook.domains?.join(', ') ?? words.webhooks.allZones} />
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
