let handedOver: { readonly zone: string; readonly text: string } | null = null;

/** Leaves a file for the import into a zone that was made for it. It is in no address and no storage. */
export function handOver(zone: string, text: string): void {
  handedOver = { zone, text };
}

/** The text handed over for this zone; empty: none. */
export const handedOverTo = (zone: string): string =>
  handedOver !== null && handedOver.zone.toLowerCase() === zone.toLowerCase() ? handedOver.text : '';

/** Forgets the text, once its plan is shown. */
export function takeOver(): void {
  handedOver = null;
}
