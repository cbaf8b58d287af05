import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useIsSignedIn } from '../session/session.js';
import { ask } from './client.js';
import { markerIn } from './markers.js';
import type { DeliveryList, Webhook, WebhookList } from './types.js';

export function useWebhooks(isOn: boolean) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['webhooks'],
    queryFn: async ({ signal }) => (await ask<WebhookList>('/v1/webhooks', { signal })).body,
    staleTime: 0,
    enabled: isSignedIn && isOn,
  });
}

export function useWebhook(id: string) {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['webhook', id],
    queryFn: async ({ signal }) => (await ask<Webhook>(`/v1/webhooks/${encodeURIComponent(id)}`, { signal })).body,
    staleTime: 0,
    enabled: isSignedIn,
  });
}

/** Polling interval while a visible delivery is pending. */
const LOOK_AGAIN = 3000;

/** @param status '' for all */
export function useDeliveries(webhookId: string, status: string) {
  const isSignedIn = useIsSignedIn();
  return useInfiniteQuery({
    queryKey: ['deliveries', webhookId, status],
    queryFn: async ({ signal, pageParam }) => {
      const query = new URLSearchParams({ limit: '100' });
      if (status !== '') query.set('status', status);
      if (pageParam !== null) query.set('marker', pageParam);
      const path = `/v1/webhooks/${webhookId}/deliveries?${query.toString()}`;
      return (await ask<DeliveryList>(path, { signal })).body;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ links }) => markerIn(links?.next),
    refetchInterval: LOOK_AGAIN,
    enabled: isSignedIn,
  });
}
