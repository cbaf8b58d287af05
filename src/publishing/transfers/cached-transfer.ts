import type { HeldContent, CachedContent } from '../../database/render-cache/cached-content.js';
import type { Stated } from '../../database/render-cache/render-cache.js';
import type { SectionList } from './section-list.js';
import type { Copy } from './zone-source.js';

/** What is known of a copy beside its octets. Its state is the serial that it leads to. */
export interface CopyContents extends Stated {
  readonly sections: SectionList;
}

/** A rendered copy. */
export type CachedTransfer = CachedContent<CopyContents>;

/** The same in the hands of a name server. */
export function copyOf({ about, octets, release }: HeldContent<CopyContents>): Copy {
  return { serial: about.state, octets: octets.length, sections: () => about.sections.read(octets), release };
}
