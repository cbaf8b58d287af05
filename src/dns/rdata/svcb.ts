import { serviceBindingType } from './service-binding.js';

/** RFC 9460 §2 — any service; its scheme stands in the owner name. */
export const SVCB = serviceBindingType({ name: 'SVCB', code: 64, rfc: 'RFC 9460 §2' }, '_dns.example.org.');
