import type { Type } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import type { RecordSnapshot, ZoneSnapshot } from '../../zones/journal/journal-format.js';

/** One step of the journal of a zone, as listeners get it. */
export interface ChangeEntry {
  /** Its name as it was sent when the zone was made; its owner at that step. */
  readonly zone: { readonly id: string; readonly name: string; readonly tenantId: string };
  /** Counts the steps of a zone from 1 without a gap. With the zone's id it names the entry for ever. */
  readonly number: number;
  /** Of the zone after the change. */
  readonly serial: number;
  /** All entries of one change share it. */
  readonly changeId: string;
  /** `zone.create`, `zone.update`, `zone.delete`, `zone.serial`, `zone.transfer`, `zone.regenerate`, `record.create`, … */
  readonly action: string;
  /** `null` for a step of the zone itself. */
  readonly recordId: string | null;
  /** Whole: a zone where `recordId` is `null`, a record otherwise; `null` when the step has created something. */
  readonly before: ZoneSnapshot | RecordSnapshot | null;
  /** Whole as well; `null` when the step has deleted something. */
  readonly after: ZoneSnapshot | RecordSnapshot | null;
  /** The tenant that asked, which differs from the owner when an admin acts for it. */
  readonly tenantId: string;
  readonly requestId: string;
  readonly at: Instant;
  /** What was said of the change, in the first of its entries; `null` where nothing was. */
  readonly message: string | null;
}

/** A port: learns of every change of every zone (behaviour 19). There may be several, each with its own name and positions. */
export abstract class ChangeListener {
  /**
   * Takes entries of one zone, in their order and at least once. When it resolves, they have been processed for good. When it
   * rejects, or has not resolved within 30 seconds, the same entries come again later, and the zone's later ones after them;
   * other zones go on.
   * @param entries at least one; 256 or 1 MiB of snapshots at most, but for a single entry that is larger
   * @param signal is aborted after these 30 seconds, and when the process stops
   */
  abstract receive(entries: readonly ChangeEntry[], signal: AbortSignal): Promise<void>;
}

/** A listener that a plugin brings. */
export interface NamedListener {
  /** Lower-case letters, digits and hyphens, 63 at most. Under it the service notes how far the listener has come. */
  readonly name: string;
  /** Nest makes it, with whatever the modules of plugins export. */
  readonly listener: Type<ChangeListener>;
}
