import { Controller, Get, Logger, Query, Redirect, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../../../auth/access.decorators.js';
import { ServiceError } from '../../../common/service-error.js';
import { textOf } from '../../../common/json.js';
import { Produces } from '../../../http/bodies/media-types.js';
import type { ApiRequest } from '../../../http/request.js';
import { IssuerSignIn, returnPathOf } from '../issuer-sign-in.js';
import { OwnPage } from '../own-page.js';
import { forgetSignInCookie, secretIn, setCookie, setSignInCookie, signInCookieIn } from '../session-cookie.js';
import { SessionsService } from '../sessions.service.js';
import { SignIn } from '../sign-in.js';

const CALLBACK = '/console/oidc/callback';
const SIGN_IN = '/console/sign-in';

interface Elsewhere {
  readonly url: string;
  readonly statusCode: 303;
}

/** Behaviour 3.8. */
@Public()
@Controller('console/oidc')
export class IssuerSignInController {
  private readonly logger = new Logger('Console');

  constructor(
    private readonly issuer: IssuerSignIn,
    private readonly signIn: SignIn,
    private readonly sessions: SessionsService,
    private readonly page: OwnPage,
  ) {}

  /** A navigation: other sites may start it, without harm. */
  @Get('start')
  @Produces()
  @Redirect()
  async start(
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Elsewhere> {
    const isSecure = this.page.isSecure(request);
    const secret = this.issuer.newSecret();
    const url = await this.issuer.urlFor(secret, this.page.urlOf(request, CALLBACK).href);
    const returnPath = Buffer.from(returnPathOf(query.return)).toString('base64url');
    setSignInCookie(response, `${secret}.${returnPath}`, isSecure);
    return { url, statusCode: 303 };
  }

  /** The page shows errors by a one-word code. */
  @Get('callback')
  @Produces()
  @Redirect()
  async callback(
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Elsewhere> {
    const isSecure = this.page.isSecure(request);
    const [secret = '', returnPath = ''] = (signInCookieIn(request) ?? '').split('.');
    forgetSignInCookie(response, isSecure);
    try {
      const session = await this.open(query, secret, request);
      setCookie(response, session.secret, isSecure);
      const path = returnPathOf(Buffer.from(returnPath, 'base64url').toString());
      return { url: this.page.prefixOf(request) + path, statusCode: 303 };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.logger.debug(`a sign-in at the issuer is refused: ${error.message}`);
      return { url: `${this.page.prefixOf(request)}${SIGN_IN}?error=${error.code}`, statusCode: 303 };
    }
  }

  private async open({ code, state, iss }: Readonly<Record<string, unknown>>, secret: string, request: ApiRequest) {
    const returned = { code: textOf(code) ?? '', state: textOf(state) ?? '', issuer: textOf(iss) };
    const callback = this.page.urlOf(request, CALLBACK).href;
    const { credential, identity } = await this.signIn.with(request, () =>
      this.issuer.credentialFor(returned, secret, callback),
    );
    return this.sessions.open(credential, identity, secretIn(request));
  }
}
