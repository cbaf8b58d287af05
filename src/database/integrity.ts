/** What the database engine says of what it keeps. */
export interface EngineCheck {
  /** What is damaged, a line each. */
  readonly damages: readonly string[];
  /** What was found sound, or why nothing was looked at. */
  readonly verdict: string;
}

/** What an `integrity_check` of SQLite has found; empty for a file that is sound. */
export function damageIn(findings: readonly { readonly integrity_check: string }[]): string[] {
  if (findings.length === 0) return ['nothing was checked'];
  return findings.map(({ integrity_check }) => integrity_check).filter((finding) => finding !== 'ok');
}
