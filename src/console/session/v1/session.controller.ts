import { Body, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../../auth/access.decorators.js';
import { Authenticator } from '../../../auth/authenticator.js';
import { ServiceError } from '../../../common/service-error.js';
import type { ApiRequest } from '../../../http/request.js';
import { OwnPage } from '../own-page.js';
import { forgetCookie, secretIn, setCookie } from '../session-cookie.js';
import { assertNotForged } from '../session-headers.js';
import { type OpenSession, SessionsService } from '../sessions.service.js';
import { SignIn, type SignInRequest } from '../sign-in.js';
import { SignInWays } from '../sign-in-ways.js';
import { type SessionDto, toSessionDto } from './dto/session.dto.js';
import { SignInDto } from './dto/sign-in.dto.js';
import { ApiEndSession, ApiOpenSession, ApiSession, ApiShowSession } from './session.api.js';

@ApiSession()
@Public()
@Controller('console/session')
export class SessionController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIn: SignIn,
    private readonly page: OwnPage,
    private readonly authenticator: Authenticator,
    private readonly ways: SignInWays,
  ) {}

  @Get()
  @ApiShowSession()
  async show(@Req() request: ApiRequest): Promise<SessionDto> {
    const secret = this.page.isSender(request) ? secretIn(request) : null;
    const session = secret === null ? null : await this.sessions.use(secret);
    const isValid = session !== null && (await this.standsForSomebody(session));
    return toSessionDto(isValid ? session : null, this.ways);
  }

  @Post()
  @HttpCode(200)
  @ApiOpenSession()
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
  @ApiEndSession()
  async end(@Req() request: ApiRequest, @Res({ passthrough: true }) response: Response): Promise<string> {
    this.page.assertSender(request);
    const secret = secretIn(request);
    if (secret !== null) {
      assertNotForged(request, secret);
      await this.sessions.end(secret);
    }
    forgetCookie(response, this.page.isSecure(request));
    response.setHeader('Clear-Site-Data', '"cookies", "storage"');
    return '';
  }

  /** Its token may have been revoked. */
  private async standsForSomebody({ credential }: OpenSession): Promise<boolean> {
    return (await this.authenticator.identify({ 'x-auth-token': credential.token })) !== null;
  }
}

/** @throws ServiceError `invalid_object` */
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
