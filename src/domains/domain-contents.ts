import type { DomainChange } from './domain-change.js';

/** What a domain holds is another room's; it removes its own when the domain goes. Filled by the records module. */
export abstract class DomainContents {
  abstract deleteAll(change: DomainChange): Promise<void>;
}
