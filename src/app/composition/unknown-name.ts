import { nearest } from '../../config/nearest.js';

/** Says that no plugin brings what the configuration names, and which name may have been meant. */
export function describeUnknown(kind: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `did you mean ${meant}? `;
  return `there is no ${kind} "${name}"; ${hint}known: ${known.join(', ')}`;
}
