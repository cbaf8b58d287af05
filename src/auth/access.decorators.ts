import { SetMetadata } from '@nestjs/common';

export const ACCESS = Symbol('access');
export type Access = 'public' | 'admin';

/** Answers without a credential. */
export const Public = () => SetMetadata<symbol, Access>(ACCESS, 'public');

/** Answers admins only; anybody else is refused with 401 (behaviour 3.1, 3.3). */
export const AdminOnly = () => SetMetadata<symbol, Access>(ACCESS, 'admin');
