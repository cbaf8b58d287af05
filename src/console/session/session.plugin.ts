import type { Provider, Type } from '@nestjs/common';
import { migration } from '../../database/schema/lazy-migration.js';
import type { Config } from '../../config/config.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import { fill } from '../../plugins/plugin.js';
import type { SignInMethods } from './sign-in-methods.js';

/** Who has signed in on the console (behaviour 3.8). */
export const SESSIONS = feature({
  name: 'sessions',
  schema: async () => ({
    entities: [(await import('./session.entity.js')).SessionEntity],
    migrations: [
      migration(
        'CreateSessions1763970000000',
        () => import('../../database/migrations/1763970000000-create-sessions.js'),
      ),
    ],
  }),
  api: async ({ config }) => {
    if (!config.console.enabled) return {};
    const { SessionsService } = await import('./sessions.service.js');
    const { OwnPage } = await import('./own-page.js');
    const { FreshCredentials } = await import('./fresh-credentials.js');
    const issuer = await issuerParts(config);
    const module = moduleOf('Sessions', {
      global: true,
      controllers: [(await import('./v1/session.controller.js')).SessionController, ...issuer.controllers],
      providers: [
        SessionsService,
        OwnPage,
        (await import('./sign-in.js')).SignIn,
        (await import('./session.repository.js')).SessionRepository,
        (await import('./sessions-cleanup.js')).SessionsCleanup,
        FreshCredentials,
        ...issuer.providers,
        { provide: (await import('./session.options.js')).SessionOptions, useValue: config.console },
        { provide: (await import('./sign-in-methods.js')).SignInMethods, useValue: waysOf(config) },
      ],
      exports: [SessionsService, OwnPage, FreshCredentials],
    });
    const port = fill(
      (await import('../../auth/sessions.js')).Sessions,
      (await import('./session-headers.js')).SessionHeaders,
    );
    return { modules: [module], ports: [port] };
  },
});

function waysOf({ api: { authStrategies }, jwt, console }: Config): SignInMethods {
  const { clientId, issuerName } = console;
  const name = issuerName ?? (jwt.issuer === null ? '' : new URL(jwt.issuer).host);
  return {
    token: !authStrategies.includes('noauth'),
    keystone: authStrategies.includes('keystone'),
    oidc: clientId === null ? null : { name },
  };
}

/** What signs people in at the issuer, where the console is known to it. */
async function issuerParts({ console }: Config): Promise<{ controllers: Type[]; providers: Provider[] }> {
  const { clientId } = console;
  if (clientId === null) return { controllers: [], providers: [] };
  const { IssuerSignInOptions } = await import('./session.options.js');
  return {
    controllers: [(await import('./v1/issuer-sign-in.controller.js')).IssuerSignInController],
    providers: [
      { provide: IssuerSignInOptions, useValue: { ...console, clientId } },
      (await import('./issuer-sign-in.js')).IssuerSignIn,
    ],
  };
}
