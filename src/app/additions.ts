import type { Provider, Type } from '@nestjs/common';
import type { RecordType } from '../dns/rdata/record-type.js';
import type { LimitBindings } from './limits.js';

/** What another team adds to the service, or binds in the place of a default, without changing its source. */
export interface Additions {
  /** Record types beside the standard ones. */
  readonly types?: readonly RecordType[];
  /** Who limits growth in the place of the tenants' quotas. */
  readonly limits?: Partial<LimitBindings>;
  /** Provides `Authenticator`, in the place of the one that `auth_strategy` names. */
  readonly authenticator?: Provider;
  /** Names that `enabled_extensions_admin` may carry, with the modules that they bring. */
  readonly adminExtensions?: Readonly<Record<string, Type>>;
}
