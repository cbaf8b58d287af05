/** Values that the configurations of clients contain. Names have no final dot. */
export interface Setup {
  /** The address for DNS UPDATE. */
  readonly server: string;
  readonly port: number;
  /** The base URL of the API. */
  readonly url: string;
  readonly keystone: string;
  readonly keyName: string;
  /** The secret of the key, or the token. */
  readonly secret: string;
  /** The entered names: hosts of certificates, zones, or names in zones. */
  readonly names: readonly string[];
  readonly zones: readonly string[];
  /** The account at the certificate authority. */
  readonly email: string;
}

/** A file to save, or commands to run. */
export interface Part {
  /** `null`: commands. */
  readonly file: string | null;
  /** Whether the text is a part of the file. */
  readonly isFragment?: true;
  readonly text: string;
}

export const file = (name: string, ...lines: readonly string[]): Part => ({
  file: name,
  text: `${lines.join('\n')}\n`,
});
export const commands = (...lines: readonly string[]): Part => ({ file: null, text: `${lines.join('\n')}\n` });

export const KEY_FILE = 'zonewright.key';

/** The key as nsupdate and BIND read it. */
export const keyFile = ({ keyName, secret }: Setup): Part =>
  file(KEY_FILE, `key "${keyName}" {`, '  algorithm hmac-sha256;', `  secret "${secret}";`, '};');

/** An address and a port, as in URLs. */
export const endpoint = ({ server, port }: Setup): string => `${server.includes(':') ? `[${server}]` : server}:${port}`;

/** A word of a shell command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const apiTest = (url: string, token: string): Part =>
  commands(`curl -H 'X-Auth-Token: ${token}' '${url}/v1/domains'`);
