import { argumentName, docstring, literal, snakeCase } from './python-text.ts';
import { type OpenApi, type Operation, type Parameter, refName, type Schema } from './schema.ts';
import { typeOf } from './types.ts';

/** Media types of pages and their parts, and of what has its own way to be read. */
const NOT_FOR_PROGRAMS = ['text/html', 'application/javascript', 'text/event-stream'];

export interface Method {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly result: string;
  /** What of the base it calls, and with which values. */
  readonly call: string;
  readonly kind: 'answer' | 'download' | 'pages' | 'items' | 'stream';
  readonly description: string;
}

/** The methods of all operations that programs use. WebSockets are not: streams read events. */
export function methodsOf({ paths, components }: OpenApi): readonly Method[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]) => {
      const answer = answerOf(operation);
      if (answer === null) return [];
      const request: Request = { verb, path, operation, schemas: components.schemas };
      if (answer.mediaType !== 'application/json' && answer.mediaType !== null) {
        return [methodOf(request, 'download', '')];
      }
      const type = answer.schema === null ? 'None' : typeOf(answer.schema, 'api.');
      const item = itemType(answer.schema, components.schemas);
      return [
        methodOf(request, 'answer', type),
        ...(item === null
          ? []
          : [methodOf(request, 'pages', type), methodOf(request, 'items', item)]),
      ];
    }),
  );
}

interface Request {
  readonly verb: string;
  readonly path: string;
  readonly operation: Operation;
  readonly schemas: OpenApi['components']['schemas'];
}

interface AnswerType {
  /** Null for an answer without a body. */
  readonly mediaType: string | null;
  readonly schema: Schema | null;
}

/** What an operation answers; null for one that programs do not use. */
function answerOf({ responses }: Operation): AnswerType | null {
  if ('101' in responses) return null;
  const [status = ''] = Object.keys(responses).filter((code) => code.startsWith('2'));
  const [[mediaType, one] = [null, null]] = Object.entries(responses[status]?.content ?? {});
  if (mediaType !== null && NOT_FOR_PROGRAMS.includes(mediaType)) return null;
  return { mediaType, schema: one?.schema ?? null };
}

/** The type of an item, if the body is a page with a cursor; null otherwise. */
function itemType(schema: Schema | null, schemas: Request['schemas']): string | null {
  const { properties, required = [] } = (schema?.$ref && schemas[refName(schema.$ref)]) || {};
  if (properties === undefined || !('next_cursor' in properties)) return null;
  const lists = Object.entries(properties).filter(([, { type }]) => type === 'array');
  const [first, ...others] = lists;
  const isMain = first !== undefined && required.includes(first[0]);
  if (!isMain || others.some(([name]) => required.includes(name))) {
    throw new TypeError('A page with a cursor must begin with the only list that it always has.');
  }
  const { items } = first[1];
  if (items === undefined) throw new TypeError('A list must say what its items are.');
  return typeOf(items, 'api.');
}

const NAMES = { answer: '', download: '', pages: '_pages', items: '_items', stream: '' } as const;
const CALLS = {
  ...{ answer: '_answer', download: '_download', pages: '_pages', items: '_items' },
} as const;
const ABOUT = {
  ...{ answer: '', download: '' },
  pages: 'The pages of the list, each read when it is asked for. ',
  items: 'The items of all pages of the list. ',
} as const;

function methodOf(request: Request, kind: keyof typeof CALLS, type: string): Method {
  const { verb, path, operation, schemas } = request;
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const used = parameters.filter(
    ({ name }) => !(name === 'cursor' && (kind === 'pages' || kind === 'items')),
  );
  const inPath = used.filter((one) => one.in === 'path');
  const inQuery = used.filter((one) => one.in === 'query');
  const body = bodyOf(requestBody, schemas);
  const required = inQuery.filter((one) => one.required === true);
  const optional = inQuery.filter((one) => one.required !== true);
  return {
    kind,
    name: `${snakeCase(operationId)}${NAMES[kind]}`,
    arguments: [
      ...inPath.map(requiredArgument),
      ...(body?.isRequired ? [`body: ${body.type}`] : []),
      '*',
      ...required.map(requiredArgument),
      ...optional.map(optionalArgument),
      ...(body !== null && !body.isRequired ? [`body: ${body.type} | None = None`] : []),
    ],
    result: type,
    call: [
      `self.${CALLS[kind]}(${literal(verb.toUpperCase())}, ${literal(path)}`,
      `path=${valuesOf(inPath)}, query=${valuesOf(inQuery)}`,
      ...(body === null ? [] : ['body=body', `body_type=${literal(body.mediaType)}`]),
      'cancellation=cancellation)',
    ].join(', '),
    description: `${ABOUT[kind]}${summary}.\n\n${description}${argumentTexts(used)}`,
  };
}

interface BodyType {
  readonly type: string;
  readonly mediaType: string;
  readonly isRequired: boolean;
}

function bodyOf(
  requestBody: Operation['requestBody'],
  schemas: Request['schemas'],
): BodyType | null {
  const [first] = Object.entries(requestBody?.content ?? {});
  if (first === undefined) return null;
  const [mediaType, { schema }] = first;
  const { required = [] } = schema.$ref === undefined ? {} : (schemas[refName(schema.$ref)] ?? {});
  return {
    mediaType,
    type: mediaType === 'application/json' ? typeOf(schema, 'api.') : 'str | bytes',
    isRequired: mediaType !== 'application/json' || required.length > 0,
  };
}

/** What a parameter is given as; times and decimals have types of their own in Python. */
function argumentType({ pattern, format, 'x-list-of': list, ...schema }: Schema): string {
  if (list !== undefined) {
    const words = list.map(literal).join(', ');
    return `str | Sequence[Literal[${words}]]`;
  }
  if (format?.startsWith('iso-8601')) return 'str | datetime';
  if (pattern?.startsWith('^[0-9]{')) return 'str | int | Decimal';
  return typeOf(schema);
}

export function requiredArgument({ name, schema }: Parameter): string {
  return `${argumentName(name)}: ${argumentType(schema)}`;
}

export function optionalArgument({ name, schema }: Parameter): string {
  return `${argumentName(name)}: ${argumentType(schema)} | None = None`;
}

export function valuesOf(parameters: readonly Parameter[]): string {
  const entries = parameters.map(({ name }) => `${literal(name)}: ${argumentName(name)}`);
  return `{${entries.join(', ')}}`;
}

export function argumentTexts(parameters: readonly Parameter[]): string {
  const texts = parameters.map(
    ({ name, description = '' }) => `${argumentName(name)}: ${description.replaceAll('\n', ' ')}`,
  );
  return texts.length === 0 ? '' : `\n\n${texts.join('\n')}`;
}

/** The text of a method. `isAsync` is for asyncio. */
export function methodText(method: Method, isAsync: boolean): string {
  const { name, kind, result, call, description } = method;
  const isIterator = kind !== 'answer' && kind !== 'download';
  const prefix = isAsync && !isIterator ? 'async ' : '';
  const awaiting = isAsync && !isIterator ? 'await ' : '';
  const given = [
    'self',
    ...method.arguments,
    ...(isAsync ? [] : ['cancellation: Cancellation | None = None']),
  ];
  // A star that nothing follows is no syntax.
  const parameters = given.at(-1) === '*' ? given.slice(0, -1) : given;
  return [
    `    ${prefix}def ${name}(`,
    ...parameters.map((one) => `        ${one},`),
    `    ) -> ${resultType(kind, result, isAsync)}:`,
    docstring(description, '        '),
    `        return ${awaiting}${isAsync ? call.replace(/, cancellation=cancellation/, '') : call}`,
  ].join('\n');
}

function resultType(kind: Method['kind'], result: string, isAsync: boolean): string {
  if (kind === 'answer') return `Answer[${result}]`;
  if (kind === 'download') return isAsync ? 'AsyncDownload' : 'Download';
  const item = kind === 'stream' ? `StreamEvent[${result}]` : result;
  return isAsync ? `AsyncGenerator[${item}, None]` : `Generator[${item}, None, None]`;
}
