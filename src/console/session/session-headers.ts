import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Sessions } from '../../auth/identification.js';
import { ServiceError } from '../../common/service-error.js';
import type { ApiRequest } from '../../http/request.js';
import { FreshCredentials } from './fresh-credentials.js';
import { OwnPage } from './own-page.js';
import { secretIn } from './session-cookie.js';
import { csrfTokenOf } from './session-secret.js';
import { SessionsService } from './sessions.service.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Replaces a session with its credential, for requests of the service's own pages (behaviour 3.8). */
@Injectable()
export class SessionHeaders extends Sessions {
  constructor(
    private readonly sessions: SessionsService,
    private readonly page: OwnPage,
    private readonly credentials: FreshCredentials,
  ) {
    super();
  }

  override async headersOf(request: ApiRequest): Promise<IncomingHttpHeaders | null> {
    const secret = secretIn(request);
    if (secret === null || !this.page.isSender(request)) return null;
    assertNotForged(request, secret);
    const session = await this.sessions.use(secret);
    return session === null ? null : { 'x-auth-token': (await this.credentials.of(session)).token };
  }
}

export function assertNotForged({ method, headers }: ApiRequest, secret: string): void {
  if (SAFE.has(method)) return;
  const sent = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfTokenOf(secret));
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw new ServiceError('access_denied', 'Send in X-CSRF-Token the csrf_token of GET /console/session.');
}
