import { Injectable, Optional } from '@nestjs/common';
import type { Identity } from '../../auth/authenticator.js';
import { Identification } from '../../auth/identification.js';
import { KeystoneClient } from '../../auth/keystone/keystone.client.js';
import type { ServiceUser } from '../../auth/keystone/keystone.options.js';
import { mayCall } from '../../auth/policy.js';
import { ServiceError } from '../../common/service-error.js';
import type { ApiRequest } from '../../http/request.js';
import type { StoredCredential } from './sessions.service.js';

export type SignInRequest = { readonly token: string } | { readonly user: ServiceUser };

export interface SignedIn {
  readonly credential: StoredCredential;
  readonly identity: Identity;
}

@Injectable()
export class SignIn {
  constructor(
    private readonly identification: Identification,
    @Optional() private readonly keystone?: KeystoneClient,
  ) {}

  /**
   * @throws ServiceError `access_denied`, `forbidden`, `rate_limited`, `unavailable`; `invalid_object` if not
   * configured
   */
  async by(asked: SignInRequest, request: ApiRequest): Promise<SignedIn> {
    if ('token' in asked) return this.accepted({ way: 'token', token: asked.token }, request);
    const { keystone } = this;
    if (keystone === undefined)
      throw new ServiceError(
        'invalid_object',
        'No Keystone server is asked about passwords here; sign in with a token.',
      );
    return this.with(request, async () => ({ way: 'keystone', token: await tokenFrom(keystone, asked.user) }));
  }

  /** @param find throws `access_denied` for a possible guess, which is counted */
  async with(request: ApiRequest, find: () => Promise<StoredCredential>): Promise<SignedIn> {
    return this.accepted(await this.identification.countingGuesses(request, find), request);
  }

  private async accepted(credential: StoredCredential, request: ApiRequest): Promise<SignedIn> {
    const identity = await this.identification.tried(request, { 'x-auth-token': credential.token });
    if (!mayCall(identity)) throw new ServiceError('forbidden', 'The credential has no role.');
    return { credential, identity };
  }
}

async function tokenFrom(keystone: KeystoneClient, user: ServiceUser): Promise<string> {
  const token = await keystone.tokenFor(user);
  if (token === null) throw new ServiceError('access_denied', 'Keystone does not accept this name and password.');
  return token;
}

export abstract class SignInMethods {
  abstract readonly token: boolean;
  abstract readonly keystone: boolean;
  /** `null`: not configured. */
  abstract readonly oidc: { readonly name: string } | null;
}
