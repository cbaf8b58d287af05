import type { Whoami } from '../api/types.js';

/** What a credential may do, so that nothing else is offered. The service judges each request all the same. */
export interface Permitted {
  readonly makeZones: boolean;
  readonly editZone: boolean;
  readonly deleteZone: boolean;
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
}

const NOTHING: Permitted = {
  ...{ makeZones: false, editZone: false, deleteZone: false },
  ...{ create: false, update: false, delete: false },
};

export function permittedTo(whoami: Whoami | undefined): Permitted {
  if (whoami === undefined || isReader(whoami)) return NOTHING;
  const { domains, names, types, actions } = whoami.limits;
  const may = (action: string): boolean => actions === null || actions.some((one: string) => one === action);
  const isScoped = [domains, names, types, actions].some((limit) => limit !== null);
  // Zones themselves are for tokens that have all of their records.
  const hasWholeZones = names === null && types === null;
  return {
    makeZones: !isScoped,
    editZone: hasWholeZones && may('update'),
    deleteZone: hasWholeZones && may('delete'),
    ...{ create: may('create'), update: may('update'), delete: may('delete') },
  };
}

const isReader = ({ roles }: Whoami): boolean => roles.length > 0 && roles.every((role) => role === 'reader');
