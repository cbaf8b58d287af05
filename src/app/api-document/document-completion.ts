import type { OpenAPIObject } from '@nestjs/swagger';
import { JSON_TYPE } from '../../http/bodies/media-types.js';
import { RATE_LIMIT, REPLAYED } from '../../http/openapi/headers.js';
import { exampleOf, type ExampleSchema } from './document-examples.js';

type Operation = Required<OpenAPIObject['paths'][string]>['get'];
type Content = Readonly<
  Record<string, { readonly schema?: object; readonly example?: unknown; readonly examples?: object }>
>;
interface Described {
  readonly content?: Content;
  readonly headers?: object;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The document with what follows from it: examples of bodies that have none, and headers that many answers share. */
export function completed(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, ExampleSchema>>;
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => {
      const operations = METHODS.flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [[method, completedOperation(operation, schemas)] as const];
      });
      return [path, { ...item, ...Object.fromEntries(operations) }];
    }),
  );
  return { ...document, paths };
}

function completedOperation(operation: Operation, schemas: Readonly<Record<string, ExampleSchema>>): Operation {
  const { requestBody, responses, security, parameters = [] } = operation;
  const mayBeReplayed = parameters.some((parameter) => 'name' in parameter && parameter.name === 'Idempotency-Key');
  const shared = {
    ...(security === undefined ? {} : RATE_LIMIT),
    ...(mayBeReplayed ? REPLAYED : {}),
  };
  const answers = Object.entries(responses).map(([status, response]) => {
    const described = response as Described;
    if (!status.startsWith('2')) return [status, described] as const;
    const headers = { ...described.headers, ...shared };
    const answer = withExamples(described, schemas, false);
    return [status, Object.keys(headers).length === 0 ? answer : { ...answer, headers }] as const;
  });
  return {
    ...operation,
    ...(requestBody === undefined ? {} : { requestBody: withExamples(requestBody as Described, schemas, true) }),
    responses: Object.fromEntries(answers),
    // What was put together is what Nest has made, with more in it.
  } as Operation;
}

function withExamples(
  described: Described,
  schemas: Readonly<Record<string, ExampleSchema>>,
  isRequest: boolean,
): Described {
  const { content } = described;
  const json = content?.[JSON_TYPE];
  if (json?.schema === undefined || 'example' in json || 'examples' in json) return described;
  const example = exampleOf(json.schema, schemas, isRequest);
  return { ...described, content: { ...content, [JSON_TYPE]: { ...json, example } } };
}
