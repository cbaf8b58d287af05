import { PREFIX } from '../api/prefix.js';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWhoami, zoneKey } from '../api/queries.js';
import type { Zone } from '../api/types.js';
import { useActsForSelf } from '../session/acting.js';
import { useIsSignedIn } from '../session/session.js';

const RECORD_EVENTS = ['created', 'updated', 'deleted'].map((what) => `zonewright.record.${what}`);
const ZONE_EVENTS = ['updated', 'deleted', 'serial_raised', 'transferred', 'regenerated'].map(
  (what) => `zonewright.domain.${what}`,
);
/** A change has an event for each of its records. */
const PAUSE = 200;

/** Refetches the open zone when an event arrives. Without events, or without the right to read them, it is polled. */
export function useZoneEvents({ id, name }: Zone): void {
  const isSignedIn = useIsSignedIn();
  const { data: whoami } = useWhoami();
  // Browsers cannot add headers to a stream. They have locks for https and this machine only.
  const mayListen = useActsForSelf() && 'locks' in navigator;
  const isOn = isSignedIn && mayListen && whoami?.extensions.includes('events') === true;
  const queries = useQueryClient();
  useEffect(() => {
    if (!isOn) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void queries.invalidateQueries({ queryKey: zoneKey(name) }), PAUSE);
    };
    const stop = listenTo(id, look);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isOn, id, name, queries]);
}

/** One browser tab reads the stream of a zone and forwards it to other tabs, since connections are limited. */
function listenTo(zoneId: string, onChange: () => void): () => void {
  const place = `zonewright.events.${zoneId}`;
  const channel = new BroadcastChannel(place);
  const left = new AbortController();
  channel.onmessage = onChange;
  const tell = (): void => {
    onChange();
    channel.postMessage(null);
  };
  void navigator.locks.request(place, { signal: left.signal }, () => stream(zoneId, tell, left.signal)).catch(() => {});
  return () => {
    left.abort();
    channel.close();
  };
}

/** Reads until it is left; the browser connects again by itself. */
async function stream(zoneId: string, onChange: () => void, left: AbortSignal): Promise<void> {
  if (left.aborted) return;
  const source = new EventSource(`${PREFIX}/v1/events?domain=${zoneId}`);
  for (const type of [...RECORD_EVENTS, ...ZONE_EVENTS]) source.addEventListener(type, onChange);
  await new Promise<void>((resolve) => left.addEventListener('abort', () => resolve(), { once: true }));
  source.close();
}
