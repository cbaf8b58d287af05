import type { Whoami } from '../api/types.js';
import { matchesPattern } from './name-pattern.js';

/** Permissions of the credential, to hide other actions. The service still checks each request. */
export interface Permitted {
  readonly makeZones: boolean;
  readonly editZone: boolean;
  readonly deleteZone: boolean;
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
  /** Whether it may change every record of its zones, as undoing a change of others needs. */
  readonly undo: boolean;
  /** Patterns of owner names; `null`: all. */
  readonly names: readonly string[] | null;
  /** Record types; `null`: all. */
  readonly types: readonly string[] | null;
}

const NOTHING: Permitted = {
  ...{ makeZones: false, editZone: false, deleteZone: false },
  ...{ create: false, update: false, delete: false, undo: false },
  ...{ names: null, types: null },
};

export function permittedTo(whoami: Whoami | undefined): Permitted {
  // Changes need a tenant, which an admin of an issuer may lack.
  if (whoami === undefined || whoami.tenant_id === null || isReader(whoami)) return NOTHING;
  const { domains, names, types, actions } = whoami.limits;
  const may = (action: string): boolean => actions === null || actions.some((one: string) => one === action);
  const isScoped = [domains, names, types, actions].some((limit) => limit !== null);
  // Zones themselves are for tokens that have all of their records.
  const hasWholeZones = names === null && types === null;
  const changes = { create: may('create'), update: may('update'), delete: may('delete') };
  return {
    makeZones: !isScoped,
    editZone: hasWholeZones && may('update'),
    deleteZone: hasWholeZones && may('delete'),
    ...changes,
    undo: hasWholeZones && Object.values(changes).every(Boolean),
    ...{ names, types },
  };
}

/** The records of a secondary zone belong to its primaries. */
export const inSecondary = ({ deleteZone }: Permitted): Permitted => ({ ...NOTHING, deleteZone });

interface OwnerAndType {
  readonly name: string;
  readonly type: string;
}

/** Whether the credential has this record set. */
export function hasRecordSet({ names, types }: Permitted, { name, type }: OwnerAndType): boolean {
  const key = name.toLowerCase();
  return types?.includes(type) !== false && names?.some((pattern) => matchesPattern(pattern, key)) !== false;
}

/** The permissions at one record set. */
export function permittedAt(may: Permitted, set: OwnerAndType): Permitted {
  return hasRecordSet(may, set) ? may : NOTHING;
}

const isReader = ({ roles }: Whoami): boolean => roles.length > 0 && roles.every((role) => role === 'reader');
