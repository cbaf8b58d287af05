import type * as Swagger from '@nestjs/swagger';

/**
 * The decorators of `@nestjs/swagger` under their own names. They note what they are to say and decorate nothing until
 * `describeAll`: to load the package takes a sixth of a start, and only the API document needs it (ADR 18).
 */
export const ApiBody = deferred((swagger) => swagger.ApiBody);
export const ApiConsumes = deferred((swagger) => swagger.ApiConsumes);
export const ApiExcludeController = deferred((swagger) => swagger.ApiExcludeController);
export const ApiExtraModels = deferred((swagger) => swagger.ApiExtraModels);
export const ApiHeader = deferred((swagger) => swagger.ApiHeader);
export const ApiNoContentResponse = deferred((swagger) => swagger.ApiNoContentResponse);
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

/** A description of a class, to be added to it once the package is there. */
type Description = (swagger: typeof Swagger) => void;

let pending: Description[] = [];

/** Keeps a description until `describeAll`. */
export function describeLater(description: Description): void {
  pending.push(description);
}

/** Adds the descriptions of all classes loaded so far, in the order in which their decorators were evaluated. */
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
    // What it decorates is passed on as it is, so it takes whatever the real one takes.
    return decorator as Decorator;
  };
}
