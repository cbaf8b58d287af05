import { Body, Controller, Delete, Get, HttpCode, Optional, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../../auth/access.decorators.js';
import { Authenticator } from '../../../auth/authenticator.js';
import { ServiceError } from '../../../common/service-error.js';
import type { ApiRequest } from '../../../http/request.js';
import { FreshCredentials } from '../fresh-credentials.js';
import { IssuerSignIn } from '../issuer-sign-in.js';
import { OwnPage } from '../own-page.js';
import { forgetCookie, secretIn, setCookie } from '../session-cookie.js';
import { assertNotForged } from '../session-headers.js';
import { type OpenSession, SessionsService } from '../sessions.service.js';
import { SignIn, type SignInRequest, SignInMethods } from '../sign-in.js';
import { SessionDto, SignedOutDto, toSessionDto } from './dto/session.dto.js';
import { SignInDto } from './dto/sign-in.dto.js';
import { ApiHeader, ApiTags } from '../../../http/openapi/decorators.js';
import { ApiErrors, Operation } from '../../../http/v1/api-docs.js';

@ApiTags('session')
@ApiErrors('unsupported_accept', 'rate_limited', 'unknown', 'unavailable')
@Public()
@Controller('console/session')
export class SessionController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIn: SignIn,
    private readonly page: OwnPage,
    private readonly authenticator: Authenticator,
    private readonly credentials: FreshCredentials,
    private readonly ways: SignInMethods,
    @Optional() private readonly issuer?: IssuerSignIn,
  ) {}

  @Get()
  @Operation({ summary: 'Say whether the browser has a session, and how to sign in', response: SessionDto })
  async show(@Req() request: ApiRequest): Promise<SessionDto> {
    const secret = this.page.isSender(request) ? secretIn(request) : null;
    const session = secret === null ? null : await this.sessions.use(secret);
    const isValid = session !== null && (await this.standsForSomebody(session));
    return toSessionDto(isValid ? session : null, this.ways);
  }

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'openSession',
    summary: 'Sign in, by a token or by a password of Keystone',
    description: 'For pages of the service alone. The answer sets a cookie that scripts cannot read.',
    response: SessionDto,
    bodyErrors: ['access_denied', 'invalid_object'],
  })
  async open(
    @Body() body: SignInDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionDto> {
    this.page.assertSender(request);
    const isSecure = this.page.isSecure(request);
    const { credential, identity } = await this.signIn.by(requestOf(body), request);
    const session = await this.sessions.open(credential, identity, secretIn(request));
    setCookie(response, session.secret, isSecure);
    return toSessionDto(session, this.ways);
  }

  @Delete()
  @Operation({
    summary: 'Sign out',
    parameters: [ApiHeader({ name: 'X-CSRF-Token', description: 'The `csrf_token` of the session.', required: true })],
    response: { type: SignedOutDto, description: 'There is no session any more.' },
    errors: ['access_denied'],
  })
  async end(@Req() request: ApiRequest, @Res({ passthrough: true }) response: Response): Promise<SignedOutDto> {
    this.page.assertSender(request);
    const secret = secretIn(request);
    if (secret !== null) assertNotForged(request, secret);
    const session = secret === null ? null : await this.sessions.use(secret);
    if (secret !== null) await this.sessions.end(secret);
    forgetCookie(response, this.page.isSecure(request));
    response.setHeader('Clear-Site-Data', '"cookies", "storage"');
    const isElsewhere = session?.credential.way === 'oidc';
    const back = this.page.urlOf(request, '/console/sign-in').href;
    return { sign_out_url: isElsewhere ? ((await this.issuer?.signOutUrl(back)) ?? null) : null };
  }

  /** The token of the session may be revoked. */
  private async standsForSomebody(session: OpenSession): Promise<boolean> {
    const { token } = await this.credentials.of(session);
    return (await this.authenticator.identify({ 'x-auth-token': token })) !== null;
  }
}

function requestOf({ token, username, password, project, user_domain, project_domain }: SignInDto): SignInRequest {
  const hasUser = username !== undefined && password !== undefined;
  if (token !== undefined && username === undefined && password === undefined) return { token };
  if (token !== undefined || !hasUser)
    throw ServiceError.ofField('invalid_object', '', 'required', 'Send a token, or a username with a password.');
  return {
    user: {
      name: username,
      password,
      project: project ?? null,
      userDomain: user_domain ?? null,
      projectDomain: project_domain ?? null,
    },
  };
}
