import { serviceBindingType } from './service-binding.js';

/** RFC 9460 §9 — a web server. */
export const HTTPS = serviceBindingType({ name: 'HTTPS', code: 65, rfc: 'RFC 9460 §9' }, 'www.example.org.');
