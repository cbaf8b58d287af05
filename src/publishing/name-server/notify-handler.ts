import type { DomainName } from '../../dns/name.js';

/** Who is told of a NOTIFY. */
export abstract class NotifyHandler {
  /**
   * @param address of the sender
   * @returns whether it may send one of that zone, which is then looked after
   * @throws ServiceError `unavailable`
   */
  abstract take(zone: DomainName, address: string): Promise<boolean>;
}
