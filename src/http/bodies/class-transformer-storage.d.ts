/** The used part of the class-transformer metadata. The package has no types for this file. */
declare module 'class-transformer/cjs/storage.js' {
  import type { TransformationType, TransformFnParams } from 'class-transformer';

  interface TypeMetadata {
    readonly typeFunction: ((object?: object) => unknown) | undefined;
    readonly options: { readonly discriminator?: object };
  }

  interface TransformMetadata {
    readonly transformFn: (params: TransformFnParams) => unknown;
    readonly options: { readonly groups?: readonly string[] };
  }

  export const defaultMetadataStorage: {
    getExposedMetadatas(target: object): readonly unknown[];
    getExcludedMetadatas(target: object): readonly unknown[];
    findTypeMetadata(target: object, property: string): TypeMetadata | undefined;
    findTransformMetadatas(
      target: object,
      property: string,
      direction: TransformationType,
    ): readonly TransformMetadata[];
  };
}
