import type { Type } from '@nestjs/common';

/** A port: whether something that a plugin needs is as it should be. Asked whenever `/readyz` is, once at a time. */
export abstract class HealthCheck {
  /**
   * @param signal is aborted after ten seconds, which counts as failing
   * @throws Error whose message tells the operator what is wrong; the log has it, and nobody else is shown it
   */
  abstract assertHealthy(signal: AbortSignal): Promise<void>;
}

/** A health check that a plugin brings. */
export interface NamedHealthCheck {
  /** Lower-case letters, digits and hyphens. `/readyz` and the metrics have it behind the plugin's: `acme/backlog`. */
  readonly name: string;
  /** Nest makes it, with whatever the global modules of plugins export. */
  readonly check: Type<HealthCheck>;
  /** `/readyz` is 503 while it fails, so that no requests are sent here. Others are shown as failing, and nothing more. */
  readonly isEssential?: boolean;
}
