import { ServiceError } from '../../common/service-error.js';

/** So many zones are changed together, in few commits. */
const PAGE_SIZE = 128;

/**
 * Changes zones one page after the other, a page's zones together; one that is deleted meanwhile is passed over.
 * @param page gives zones by id from after `marker` on
 * @returns how many zones were changed
 */
export async function changeEach(
  page: (marker: string, limit: number) => Promise<readonly { readonly id: string }[]>,
  change: (id: string) => Promise<void>,
): Promise<number> {
  let changed = 0;
  for (let marker = ''; ;) {
    const zones = await page(marker, PAGE_SIZE);
    const answers = await Promise.all(zones.map(({ id }) => unlessDeleted(change(id))));
    changed += answers.filter((isThere) => isThere).length;
    const last = zones.at(-1);
    if (last === undefined) return changed;
    marker = last.id;
  }
}

/** Whether the zone was still there. */
async function unlessDeleted(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'zone_not_found') return false;
    throw error;
  }
}
