import { ask } from '../api/client.js';
import type { Delivery, Replayed } from '../api/types.js';
import { useDeliveries } from '../api/webhooks.js';
import { useStatus } from '../frame/status.js';
import { useParameter } from '../frame/use-query-text.js';
import { Choice } from '../parts/choice.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Empty } from '../parts/empty.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';

const BADGES = { waiting: 'pending', delivered: 'published', dead: 'failed' } as const;

/** Deliveries of a webhook with their outcomes. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const [chosen, setStatus] = useParameter('status');
  const filter = Object.hasOwn(words.webhooks.filters, chosen) ? chosen : '';
  const query = useDeliveries(webhookId, filter);
  const { data, error, failureReason, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const status = useStatus();
  const trouble = error ?? failureReason;
  const deliveries = data?.pages.flatMap((page) => page.deliveries) ?? [];
  const path = `/v1/webhooks/${webhookId}/deliveries`;
  const replay = async (): Promise<void> => {
    try {
      const { body } = await ask<Replayed>(`${path}/replay`, { method: 'POST', json: {} });
      status.show({ content: words.webhooks.replayed(body.replayed) });
      await refetch();
    } catch (failure) {
      status.show({ content: failure instanceof Error ? failure.message : words.common.failed });
    }
  };
  const replayOne = async ({ id }: Delivery): Promise<void> => {
    try {
      await ask(`${path}/${id}/replay`, { method: 'POST', json: {} });
      status.show({ content: words.webhooks.replayed(1) });
      await refetch();
    } catch (failure) {
      status.show({ content: failure instanceof Error ? failure.message : words.common.failed });
    }
  };
  return (
    <section aria-labelledby="deliveries">
      <div className="heading">
        <h2 id="deliveries">{words.webhooks.deliveries}</h2>
        <Choice label={words.webhooks.filter} value={filter} options={words.webhooks.filters} onChange={setStatus} />
        <button type="button" onClick={() => void replay()}>
          {words.webhooks.replayAll}
        </button>
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={3} columns={[3, 1, 1, 2, 2]} />}
      {data !== undefined && deliveries.length === 0 && (
        <Empty
          icon="webhooks"
          actions={[
            filter !== '' && { label: words.states.go.clearFilters, to: () => setStatus('') },
            { label: words.webhooks.all, to: '/webhooks' },
          ]}
        >
          {words.webhooks.noDeliveries}
        </Empty>
      )}
      {deliveries.length > 0 && <DeliveriesTable deliveries={deliveries} onReplay={(one) => void replayOne(one)} />}
      {hasNextPage && (
        <button type="button" aria-disabled={isFetchingNextPage || undefined} onClick={() => void fetchNextPage()}>
          {words.webhooks.more}
        </button>
      )}
    </section>
  );
}

interface TableProps {
  readonly deliveries: readonly Delivery[];
  readonly onReplay: (delivery: Delivery) => void;
}

function DeliveriesTable({ deliveries, onReplay }: TableProps) {
  const { deliveryColumns: columns, statuses } = words.webhooks;
  return (
    <table className="list" aria-label={words.webhooks.deliveries}>
      <ColumnHeads labels={columns} />
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td>
              <ShownText text={delivery.event_type} /> <ShownText text={delivery.event_id} />
            </td>
            <td data-label={columns.status}>
              <span className={`badge ${BADGES[delivery.status]}`}>{statuses[delivery.status]}</span>
            </td>
            <td data-label={columns.attempts} className="number">
              {words.common.number(delivery.attempts)}
            </td>
            <td data-label={columns.answer}>
              {delivery.answer} <ShownText text={delivery.fault ?? ''} />
            </td>
            <td data-label={columns.at}>
              <Moment at={delivery.attempted_at ?? delivery.created_at} />
            </td>
            <td>
              {delivery.status === 'dead' && (
                <button
                  type="button"
                  aria-label={words.webhooks.replay(delivery.event_id)}
                  onClick={() => onReplay(delivery)}
                >
                  {words.webhooks.replayShort}
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
