import { formatInstant } from '../common/clock.js';
import type { ZoneEntity } from './zone.entity.js';

/** A zone as the journal keeps it. */
export function snapshotOf({ id, name, email, ttl, serial, description, createdAt, updatedAt }: ZoneEntity): object {
  return {
    id,
    name,
    email,
    ttl,
    serial,
    description,
    created_at: formatInstant(createdAt),
    updated_at: updatedAt === null ? null : formatInstant(updatedAt),
  };
}
