/** The words of secondary zones. */
export const englishSecondary = {
  label: 'Secondary zone',
  badge: 'Secondary',
  readOnly: 'This zone is read-only here. Its records come from its primaries. Change them there.',
  primaries: 'Primaries',
  transferred: 'Last transfer',
  never: 'Never',
  error: 'Last error',
  empty: 'No records. They appear after the first transfer.',
};
