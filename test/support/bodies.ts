import type { FieldError } from '../../src/common/service-error.js';

/** A domain, as version 1 shows it. */
export interface DomainBody {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly serial: number;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
}

/** A record, as version 1 shows it alone. */
export interface RecordBody {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly domain_id: string;
  /** Where records may expire. */
  readonly expires_at?: string | null;
}

/** A record, as lists show it. */
export interface ListedBody extends RecordBody {
  readonly tenant_id: string;
  readonly version: number;
}

/** One step of a change, as a history shows it. */
export interface HistoryEntryBody {
  readonly number: number;
  readonly serial: number;
  readonly change_id: string;
  readonly action: string;
  readonly at: string;
  readonly actor: { readonly tenant_id: string; readonly token_id: string | null; readonly user: string | null };
  readonly request_id: string;
  readonly before: RecordBody | null;
  readonly after: RecordBody | null;
  readonly domain: { readonly before: DomainBody | null; readonly after: DomainBody | null } | null;
}

export interface HistoryBody {
  readonly history: readonly HistoryEntryBody[];
  readonly links: { readonly self: string; readonly next?: string };
}

/** The difference between two states of a domain. */
export interface DiffBody {
  readonly diff: readonly {
    readonly action: 'create' | 'update' | 'delete';
    readonly before: RecordBody | null;
    readonly after: RecordBody | null;
  }[];
}

export interface RefusalBody {
  readonly code: number;
  readonly type: string;
  readonly message: string;
  readonly errors?: readonly FieldError[];
  readonly request_id: string;
}

/** A repair by an import. */
export interface ImportRepairBody {
  readonly kind: string;
  readonly count: number;
  readonly line: number;
  readonly text: string;
  readonly message: string;
}

export interface ImportBody {
  readonly mode: string;
  readonly dry_run: boolean;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly skipped: number;
  readonly repairs: readonly ImportRepairBody[];
  readonly findings?: readonly (FindingBody & { readonly severity: string; readonly line?: number })[];
}

export interface FindingBody {
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

/** A finding of a zone check. */
export interface CheckBody {
  readonly errors: readonly FindingBody[];
  readonly warnings: readonly FindingBody[];
}
