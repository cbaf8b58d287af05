import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { actFor, actForAll } from '../session/acting.js';

/** Changes the tenant that an admin acts as, and shows its zones. */
export function useActing() {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const showZones = (): void => {
    navigate('/zones');
    void queries.resetQueries();
  };
  return {
    actAs: (tenant: string): void => {
      actFor(tenant);
      showZones();
    },
    seeAll: (): void => {
      actForAll();
      showZones();
    },
    stop: (): void => {
      actFor(null);
      showZones();
    },
  };
}
