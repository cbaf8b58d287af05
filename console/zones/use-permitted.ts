import { useMemo } from 'react';
import { useWhoami } from '../api/queries.js';
import { inSecondary, type Permitted, permittedTo } from '../session/permitted.js';
import { useOpenZone } from './zone-context.js';

/** Permissions of the credential in the open zone. */
export function usePermitted(): Permitted {
  const { data: whoami } = useWhoami();
  const isSecondary = useOpenZone().secondary !== null;
  return useMemo(() => {
    const may = permittedTo(whoami);
    return isSecondary ? inSecondary(may) : may;
  }, [whoami, isSecondary]);
}
