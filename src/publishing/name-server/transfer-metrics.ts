import { MetaType } from '../../dns/message/codes.js';
import { Histogram, secondsSince } from '../../observability/histogram.js';
import { Counter } from '../../observability/counter.js';

const LABELS = ['type'];
const TRANSFERS = new Counter({
  name: 'zonewright_transfers_total',
  help: 'Transfers to name servers over TCP, by what was asked for, and whether all of it was sent.',
  labels: [...LABELS, 'result'],
});
const DURATIONS = new Histogram({
  name: 'zonewright_transfer_duration_seconds',
  help: 'From the first message of a transfer to its last.',
  labels: LABELS,
});

/**
 * Sends a transfer and notes what became of it.
 * @param type that was asked for: AXFR or IXFR
 * @param send returns whether all of it was sent
 */
export async function measureTransfer(type: number, send: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  const label = type === MetaType.AXFR ? 'AXFR' : 'IXFR';
  const isWhole = await send();
  TRANSFERS.of(label, isWhole ? 'sent' : 'broken').add();
  DURATIONS.of(label).observe(secondsSince(begun));
}
