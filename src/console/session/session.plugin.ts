import type { Provider, Type } from '@nestjs/common';
import { MINUTE } from '../../background/background-task.js';
import { Clock } from '../../common/clock.js';
import type { Config } from '../../config/config.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import { fill } from '../../plugins/plugin.js';
import type { SignInMethods } from './sign-in.js';

/** Behaviour 3.8. */
export const SESSIONS = feature({
  name: 'sessions',
  schema: async () => ({ entities: [(await import('./session.entity.js')).SessionEntity], migrations: [] }),
  api: async ({ config }) => {
    if (!config.console.enabled) return {};
    const { SessionsService } = await import('./sessions.service.js');
    const { SessionRepository } = await import('./session.repository.js');
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
        SessionRepository,
        FreshCredentials,
        ...issuer.providers,
        { provide: (await import('./session.options.js')).SessionOptions, useValue: config.console },
        { provide: (await import('./sign-in.js')).SignInMethods, useValue: waysOf(config) },
      ],
      exports: [SessionsService, OwnPage, FreshCredentials],
    });
    const port = fill(
      (await import('../../auth/identification.js')).Sessions,
      (await import('./session-headers.js')).SessionHeaders,
    );
    return {
      modules: [module],
      ports: [port],
      retention: [
        {
          name: 'console.sessions',
          subject: 'ended console sessions',
          every: MINUTE,
          remove: (services, tx) => services.get(SessionRepository).removeSome(tx, services.get(Clock).now()),
        },
      ],
    };
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
