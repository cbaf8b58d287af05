import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../api/client.js';
import type { Question } from '../api/http.js';
import type { Dnssec } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Changes the signing of the open zone, and shows the result. */
export function useDnssecAction() {
  const { zone } = useOpenZone();
  const queries = useQueryClient();
  const status = useStatus();
  const [fault, setFault] = useState<unknown>(null);
  /** @returns whether it was done */
  const act = async (path: string, question: Question, done: string): Promise<boolean> => {
    try {
      const { body } = await ask<Dnssec>(`/v1/domains/${zone.id}/dnssec${path}`, question);
      queries.setQueryData(['dnssec', zone.id], body);
      setFault(null);
      status.show({ content: done });
      return true;
    } catch (error) {
      setFault(error);
      return false;
    }
  };
  return { act, fault, forget: () => setFault(null) };
}
