import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Authenticator, type Identity } from '../../src/index.js';

/** Believes a proxy on the same machine that has checked a client certificate. */
@Injectable()
export class ProxyAuthenticator extends Authenticator {
  override identify({ 'x-client-name': name }: IncomingHttpHeaders): Promise<Identity | null> {
    if (typeof name !== 'string') return Promise.resolve(null);
    return Promise.resolve({ tenantId: name, roles: [name === 'operator' ? 'admin' : 'member'] });
  }
}
