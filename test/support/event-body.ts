/** An event as webhooks and streams send it, as far as tests look at it. */
export interface EventBody {
  readonly specversion: string;
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject?: string;
  readonly time: string;
  readonly data: {
    readonly domain: { readonly id: string; readonly name: string };
    readonly number: number;
    readonly serial: number;
    readonly change_id: string;
    readonly action: string;
    readonly actor: { readonly tenant_id: string };
    readonly request_id: string;
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
    /** Present for publications, which have only `domain`, `number` and `serial` of the fields above. */
    readonly changed_at?: string;
    readonly servers?: readonly string[];
    /** Present for ALIAS targets, which have only these and `domain`. */
    readonly target?: string;
    readonly state?: string;
    readonly problem?: string | null;
    readonly since?: string;
    readonly owners?: readonly string[];
    readonly owner_count?: number;
    /** Present for live checks, which have only these and `domain`. */
    readonly checked_at?: string;
    readonly counts?: Readonly<Record<string, number>>;
    readonly findings?: readonly { readonly kind: string; readonly severity: string }[];
  };
}
