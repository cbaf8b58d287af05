/** What the HTTP edge needs of the configuration. */
export abstract class HttpOptions {
  /** Longest body in octets. */
  abstract readonly maxBodySize: number;
  /** Base of `Location` and links without a trailing slash; `null`: the request's own scheme and host. */
  abstract readonly baseUri: string | null;
}
