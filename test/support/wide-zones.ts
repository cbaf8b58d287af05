import type { Row } from './store-rows.js';

/** In microseconds. */
const MADE_AT = 1_763_600_000_000_000;

/**
 * A row of an empty zone below wide.example., made as the one of that number.
 * @param label of one name
 */
export function wideZoneRow(
  at: number,
  label: string,
  tenantId: string,
): Row & { readonly id: string; readonly name: string } {
  return {
    id: `01800000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    tenant_id: tenantId,
    name: `${label}.wide.example.`,
    name_key: `example wide ${label}`,
    email: 'hostmaster@example.org',
    ttl: 3600,
    serial: 1,
    version: 1,
    record_count: 0,
    record_set_count: 0,
    type: 'PRIMARY',
    changed_at: MADE_AT,
    created_at: MADE_AT,
  };
}
