import { SetMetadata } from '@nestjs/common';

export const ACCESS = Symbol('access');
export type Access = 'public' | 'admin' | 'self';

/** Public operation or controller: needs no credential. */
export const Public = () => SetMetadata<symbol, Access>(ACCESS, 'public');

/** Restricts an operation or controller to admins; others get 401 (behaviour 3.1, 3.3). */
export const AdminOnly = () => SetMetadata<symbol, Access>(ACCESS, 'admin');

/** Marks an operation about the caller itself: an admin whose credential names no tenant may call it. */
export const AboutCaller = () => SetMetadata<symbol, Access>(ACCESS, 'self');
