/** The part of pngjs that the tests use; the package has no types. */
declare module 'pngjs' {
  export class PNG {
    constructor(options: { readonly width: number; readonly height: number });
    readonly width: number;
    readonly height: number;
    readonly data: Buffer;
    static readonly sync: { read(octets: Buffer): PNG; write(picture: PNG): Buffer };
  }
}
