import type { ChangeEvents, EventForm } from '../change-events.js';
import { network, nameServerAddress } from '../../config/address-readers.js';
import { inSection, option, type ValuesOf } from '../../config/option.js';
import { boolean, integer, list, orEmpty, size } from '../../config/readers.js';
import type { SayMessage } from './queue/queued-message.js';

export const WEBHOOKS_OPTIONS = inSection('webhooks', {
  maxWebhooks: option(integer(0, 1000), '20', 'webhooks that a tenant may have'),
  maxQueue: option(
    integer(1, 1_000_000),
    '10000',
    'events that wait for one webhook, and as many dead letters; what comes beyond both is dropped',
  ),
  maxQueueSize: option(
    size,
    '64 MiB',
    'octets of what waits for all webhooks of a tenant, and of their dead letters; what comes beyond is dropped',
  ),
  allowedTargets: option(
    orEmpty([], list(network)),
    '',
    'addresses and networks that are called although they are not public; empty: none',
  ),
  allowedPorts: option(orEmpty([], list(integer(1, 65_535))), '443, 80, 8443', 'ports that are called; empty: all'),
  allowHttp: option(boolean, 'False', 'call http:// as well, where everybody on the way can read the events'),
  nameServers: option(
    orEmpty([], list(nameServerAddress)),
    '',
    'name servers that are asked for the addresses of targets; empty: those of the system',
    { name: 'resolvers' },
  ),
  requestTimeout: option(integer(1, 60), '15', 'seconds in which a target answers'),
  firstRetry: option(
    integer(1, 3600),
    '5',
    'seconds until the second attempt at most; each next one takes twice as long, up to an hour',
  ),
  retryTime: option(integer(0, 604_800), '86400', 'seconds for which an event is tried; then it is a dead letter'),
  rotationTime: option(
    integer(0, 2_592_000),
    '86400',
    'seconds for which the former secret of a webhook goes on to sign',
  ),
  deadLetterDays: option(integer(1, 365), '14', 'days for which dead letters are kept'),
});

export abstract class WebhooksOptions {
  abstract readonly limits: ValuesOf<typeof WEBHOOKS_OPTIONS>;
  /** Form of newly queued events. */
  abstract readonly form: EventForm;
  abstract readonly events: ChangeEvents;
  abstract readonly sayMessage: SayMessage;
}
