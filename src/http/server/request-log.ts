import { Logger } from '@nestjs/common';
import { traceIdOf } from '../traceparent.js';
import type { DoneRequest } from './watched-requests.js';

const logger = new Logger('Request');

/**
 * One line for a request that is over. It says where it went by the route, and nothing that a client has sent but the id of
 * its trace: paths, queries, headers and bodies may hold what is not for a log.
 */
export function logRequest({ method, route, status, milliseconds, request }: DoneRequest): void {
  const { caller, requestId } = request;
  const trace = traceIdOf(request.headers);
  logger.log({
    method,
    route,
    status: status === 'aborted' ? status : Number(status),
    ms: Math.round(milliseconds * 100) / 100,
    tenant: caller?.tenantId ?? null,
    request_id: requestId,
    ...(trace === null ? {} : { trace_id: trace }),
    msg: 'request',
  });
}
