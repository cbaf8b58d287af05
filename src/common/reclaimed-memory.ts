import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: { readonly type: 'major'; readonly execution: 'async' }) => Promise<void>;

/** Below that V8 is left alone, in octets. */
const HIGH = 300 * 2 ** 20;

let collect: CollectGarbage | null = null;
let underWay: Promise<void> | null = null;

/**
 * Has V8 collect what a large request has left, before the next one begins. By itself it would do so when the heap has grown to
 * four times what was alive: long strings of the records of 60 requests would take 2 GB.
 */
export function reclaimed(): Promise<void> {
  if (underWay !== null) return underWay;
  if (getHeapStatistics().total_heap_size < HIGH) return Promise.resolve();
  underWay = collectGarbage()({ type: 'major', execution: 'async' }).finally(() => (underWay = null));
  return underWay;
}

function collectGarbage(): CollectGarbage {
  if (collect === null) {
    setFlagsFromString('--expose-gc');
    // What a new context has of it.
    collect = runInNewContext('gc') as CollectGarbage;
  }
  return collect;
}
