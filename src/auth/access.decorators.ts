import { SetMetadata } from '@nestjs/common';

export const ACCESS = Symbol('access');
export type Access = 'public' | 'admin' | 'self';

/** Lets everybody call an operation or a controller, without a credential. */
export const Public = () => SetMetadata<symbol, Access>(ACCESS, 'public');

/** Lets admins alone call an operation or a controller; others are refused with 401 (behaviour 3.1, 3.3). */
export const AdminOnly = () => SetMetadata<symbol, Access>(ACCESS, 'admin');

/** Marks what is about the caller itself, so that an admin whose credential names no tenant may ask for it too. */
export const AboutCaller = () => SetMetadata<symbol, Access>(ACCESS, 'self');
