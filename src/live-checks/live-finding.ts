export type LiveSeverity = 'error' | 'warning' | 'notice';

/** Severity and Zonemaster test of each kind (behaviour 27.10); `null`: Zonemaster has no such test. */
export const LIVE_KINDS = {
  parent_unknown: ['warning', null],
  not_delegated: ['error', 'BASIC01'],
  ns_only_at_parent: ['error', 'DELEGATION07'],
  ns_only_in_zone: ['warning', 'DELEGATION07'],
  live_glue_missing: ['error', null],
  glue_differs: ['error', 'CONSISTENCY05'],
  server_without_address: ['error', 'NAMESERVER06'],
  server_unknown: ['notice', 'NAMESERVER06'],
  server_not_public: ['warning', 'ADDRESS01'],
  server_silent: ['error', 'CONNECTIVITY01'],
  no_udp: ['error', 'CONNECTIVITY01'],
  no_tcp: ['warning', 'CONNECTIVITY02'],
  server_refuses: ['error', 'DELEGATION04'],
  not_authoritative: ['error', 'DELEGATION04'],
  old_serial: ['warning', 'CONSISTENCY01'],
  newer_serial: ['notice', 'CONSISTENCY01'],
  ipv6_unreachable: ['notice', null],
  no_ds: ['notice', 'DNSSEC07'],
  ds_without_dnskey: ['error', 'DNSSEC11'],
  ds_mismatch: ['error', 'DNSSEC02'],
  ds_unused: ['notice', 'DNSSEC02'],
  target_missing: ['error', null],
  target_without_address: ['warning', null],
  target_unknown: ['notice', null],
  dangling_target: ['warning', null],
  takeover_risk: ['error', null],
  spf_too_many_lookups: ['error', 'ZONE11'],
  spf_missing_policy: ['error', 'ZONE11'],
  spf_target_missing: ['warning', 'ZONE11'],
  caa_forbids_issuer: ['warning', null],
  not_checked: ['notice', null],
} as const satisfies Record<string, readonly [LiveSeverity, string | null]>;

export type LiveKind = keyof typeof LIVE_KINDS;

export interface LiveFinding {
  readonly severity: LiveSeverity;
  readonly name: string;
  readonly type: string;
  readonly kind: LiveKind;
  /** The Zonemaster test. */
  readonly test: string | null;
  readonly message: string;
}

const MOST_FINDINGS = 1000;
const ORDER: readonly LiveSeverity[] = ['error', 'warning', 'notice'];

/** Collects the findings of one check. */
export class LiveFindings {
  private readonly found: LiveFinding[] = [];

  add(kind: LiveKind, { name, type }: { readonly name: string; readonly type: string }, message: string): void {
    const [severity, test] = LIVE_KINDS[kind];
    if (this.found.length < MOST_FINDINGS) this.found.push({ severity, name, type, kind, test, message });
  }

  /** Errors first. */
  get sorted(): LiveFinding[] {
    return ORDER.flatMap((severity) => this.found.filter((finding) => finding.severity === severity));
  }
}
