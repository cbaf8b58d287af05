import type { ZoneChange } from './zone-change.js';

/** What a zone holds is another room's; it removes its own when the zone goes. Filled by the records module. */
export abstract class ZoneContents {
  abstract deleteAll(change: ZoneChange): Promise<void>;
}
