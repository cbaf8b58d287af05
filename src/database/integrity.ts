/** What an `integrity_check` of SQLite has found; empty for a file that is sound. */
export function damageIn(findings: readonly { readonly integrity_check: string }[]): string[] {
  if (findings.length === 0) return ['nothing was checked'];
  return findings.map(({ integrity_check }) => integrity_check).filter((finding) => finding !== 'ok');
}
