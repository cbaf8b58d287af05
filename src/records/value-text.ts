import type { RecordTypes } from '../dns/rdata/index.js';
import type { ValueView } from './record-set-view.js';

/** A priority without leading zeros, one blank, and the rest. */
const WITH_PRIORITY = /^(0|[1-9]\d{0,4}) ([^]*)$/;

/** A value in one text: of MX and SRV the priority is its first word (behaviour 13.2). */
export function textOfValue({ priority, data }: ValueView): string {
  return priority === null ? data : `${priority} ${data}`;
}

/** What such a text says. Without a priority, the type says what is missing. */
export function valueOf(types: RecordTypes, type: string, text: string): ValueView {
  const [, priority, data] = types.byName(type)?.priority === 'required' ? (WITH_PRIORITY.exec(text) ?? []) : [];
  if (priority === undefined || data === undefined) return { priority: null, data: text };
  return { priority: Number(priority), data };
}
