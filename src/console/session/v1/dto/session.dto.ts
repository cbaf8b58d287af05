import { formatInstant } from '../../../../common/clock.js';
import { ApiProperty, ApiNullableText } from '../../../../http/openapi/decorators.js';
import type { OpenSession, Way } from '../../sessions.service.js';
import type { SignInMethods } from '../../sign-in.js';

class IssuerDto {
  @ApiProperty({ example: 'Example Login', description: 'What the button says.' })
  name!: string;
}

class SignInWaysDto {
  @ApiProperty({ example: true, description: 'By a token, sent to `POST /console/session`.' })
  token!: boolean;

  @ApiProperty({ example: false, description: "By a user's name and password, sent there too." })
  keystone!: boolean;

  @ApiProperty({ type: IssuerDto, nullable: true, description: 'At an issuer: `GET /console/oidc/start?return=…`.' })
  oidc!: IssuerDto | null;
}

export class SignedOutDto {
  @ApiNullableText({
    example: null,
    description: 'Where the browser goes to sign out of the issuer too; null: nowhere.',
  })
  sign_out_url!: string | null;
}

export class SessionDto {
  @ApiProperty({ example: true })
  signed_in!: boolean;

  @ApiProperty({ enum: ['token', 'keystone', 'oidc'], nullable: true, example: 'token', description: 'How.' })
  way!: Way | null;

  @ApiNullableText({
    example: 'Yw3m0Tq1vB9gkU3m7cJ2fZr5xLqPz8sD4hN6aE1oRtI',
    description: 'What requests that change something have in `X-CSRF-Token`.',
  })
  csrf_token!: string | null;

  @ApiNullableText({
    example: '2026-11-23T12:30:00.000000',
    description: 'When it ends unless it is used before, UTC.',
  })
  ends_at!: string | null;

  @ApiNullableText({ example: '2026-11-24T00:00:00.000000', description: 'When it ends however much it is used, UTC.' })
  latest_end!: string | null;

  @ApiProperty({ type: SignInWaysDto, description: 'How one can sign in here.' })
  ways!: SignInWaysDto;
}

export function toSessionDto(session: OpenSession | null, ways: SignInMethods): SessionDto {
  if (session === null) return { signed_in: false, way: null, csrf_token: null, ends_at: null, latest_end: null, ways };
  return {
    signed_in: true,
    way: session.credential.way,
    csrf_token: session.csrfToken,
    ends_at: formatInstant(session.endsAt),
    latest_end: formatInstant(session.latestEnd),
    ways,
  };
}
