import { ServiceError } from '../../common/service-error.js';

/** Somebody else holds what a zone of that name is judged by: nothing is decided. */
export class NeedsExclusiveLock extends ServiceError {
  constructor(name: string) {
    super('unavailable', `What ${name} is judged by is in use.`);
  }
}
