/** Types of version 2 responses, which no generated types cover. */

/** A zone that another tenant may put record sets into. */
export interface ZoneShare {
  readonly id: string;
  readonly target_project_id: string;
  readonly created_at: string;
}

/** A zone that is offered to another tenant. */
export interface OwnershipOffer {
  readonly id: string;
  readonly zone_id: string;
  /** For the tenant that has made it. */
  readonly key?: string;
  readonly target_project_id?: string | null;
  readonly status: string;
}
