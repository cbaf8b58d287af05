import type * as Swagger from '@nestjs/swagger';

/** Take effect in `describeAll`: @nestjs/swagger is slow to load, and only the document needs it (ADR 18). */
export const ApiBody = deferred((swagger) => swagger.ApiBody);
export const ApiConsumes = deferred((swagger) => swagger.ApiConsumes);
export const ApiExcludeController = deferred((swagger) => swagger.ApiExcludeController);
export const ApiExtraModels = deferred((swagger) => swagger.ApiExtraModels);
export const ApiHeader = deferred((swagger) => swagger.ApiHeader);
export const ApiOkResponse = deferred((swagger) => swagger.ApiOkResponse);
export const ApiOperation = deferred((swagger) => swagger.ApiOperation);
export const ApiParam = deferred((swagger) => swagger.ApiParam);
export const ApiProduces = deferred((swagger) => swagger.ApiProduces);
export const ApiProperty = deferred((swagger) => swagger.ApiProperty);
export const ApiPropertyOptional = deferred((swagger) => swagger.ApiPropertyOptional);
export const ApiQuery = deferred((swagger) => swagger.ApiQuery);
export const ApiResponse = deferred((swagger) => swagger.ApiResponse);
export const ApiSecurity = deferred((swagger) => swagger.ApiSecurity);
export const ApiTags = deferred((swagger) => swagger.ApiTags);

interface NullableText {
  readonly description?: string;
  readonly example?: unknown;
  readonly format?: string;
  readonly enum?: readonly unknown[];
}

export function ApiNullableText(documentation: NullableText = {}): PropertyDecorator {
  return ApiProperty({ type: String, nullable: true, ...documentation });
}

type Description = (swagger: typeof Swagger) => void;

let pending: Description[] = [];

export function describeLater(description: Description): void {
  pending.push(description);
}

/** Adds the descriptions of all loaded classes, in the order of their decorators. */
export function describeAll(swagger: typeof Swagger): void {
  const descriptions = pending;
  pending = [];
  for (const describe of descriptions) describe(swagger);
}

type AnyDecorator = ClassDecorator | MethodDecorator | PropertyDecorator;

function deferred<Options extends unknown[], Decorator extends AnyDecorator>(
  find: (swagger: typeof Swagger) => (...options: Options) => Decorator,
): (...options: Options) => Decorator {
  return (...options) => {
    const decorator = (...target: unknown[]): void =>
      describeLater((swagger) => void Reflect.apply(find(swagger)(...options), undefined, target));
    // Passes all arguments to the real decorator, so the types match.
    return decorator as Decorator;
  };
}
