import { ServiceError } from './service-error.js';

/** A plugin does not answer: refuses those that need it, and nobody else, as a database that does not answer would. */
export class PluginUnavailable extends ServiceError {
  /** @param retryAfter in seconds */
  constructor(message: string, retryAfter: number | null = null) {
    super('unavailable', message, [], retryAfter);
  }
}

/** It was called and has not ended in time: what it was lent may still be in use. */
export class OverdueCall extends PluginUnavailable {}
