/** A TypeScript client program that calls every operation of an OpenAPI document once. */

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: {
    readonly examples?: readonly unknown[];
    readonly enum?: readonly unknown[];
    readonly default?: unknown;
  };
}

interface Media {
  readonly example?: unknown;
}

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Answer {
  readonly content?: Readonly<Record<string, Media>>;
  readonly links?: Readonly<Record<string, Link>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export interface DocumentedPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface Call extends DocumentedOperation {
  readonly method: string;
  readonly path: string;
}

/** What a call of the program answered. */
export interface ClientAnswer {
  readonly operation: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Runs all calls in turn. The session that one of them begins is ended by another. */
export type CallAll = (baseUrl: string, key: string) => Promise<readonly ClientAnswer[]>;

/**
 * The source of a module with `callAll`. Each call is given the examples of its parameters and body as
 * literals, so that compiling it checks these against the types.
 * WebSockets are left out, since no HTTP client opens them.
 */
export function clientSource(document: DocumentedPaths, typesModule: string): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Call => ({ ...operation, path, method: method.toUpperCase() }),
    ),
  );
  const linked = linkedParameters(calls);
  const removal = (call: Call) => Number(call.method === 'DELETE');
  const statements = calls
    .filter(({ responses }) => responses['101'] === undefined)
    .sort((one, other) => removal(one) - removal(other))
    .map((call) => statementOf(call, linked));
  return `${HEAD.replace('TYPES', typesModule)}${statements.join('\n')}\n  return answers;\n}\n`;
}

const HEAD = `import createClient from 'openapi-fetch';
import type { paths } from 'TYPES';

interface Answer {
  readonly operation: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export async function callAll(baseUrl: string, key: string): Promise<readonly Answer[]> {
  const client = createClient<paths>({ baseUrl });
  const answers: Answer[] = [];
  const made: Record<string, string> = {};
  const withKey = { 'x-api-key': key };
  let withSession: Record<string, string> = {};
  const note = async (operation: string, response: Response, copy: Response) => {
    const { status, headers } = response;
    const cookie = headers.get('set-cookie')?.split(';')[0];
    if (cookie !== undefined) withSession = { cookie, origin: new URL(baseUrl).origin };
    const type = headers.get('content-type') ?? '';
    const isEndless = type.startsWith('text/event-stream');
    // The other branch of the body is cancelled after this one: neither waits for the other.
    if (isEndless) void copy.body?.cancel();
    const text = isEndless ? '' : await copy.text();
    answers.push({ operation, status, type, text });
  };
  let copy = new Response();
  client.use({
    onResponse: ({ response }) => {
      copy = response.clone();
      return undefined;
    },
  });
`;

/** Parameters that take a value of another operation's answer: variables by operation and name. */
function linkedParameters(calls: readonly Call[]): ReadonlySet<string> {
  return new Set(
    calls.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ links = {} }) =>
        Object.values(links).flatMap(({ operationId, parameters }) =>
          Object.keys(parameters).map((name) => `${operationId} ${name}`),
        ),
      ),
    ),
  );
}

/** Operations that are not called with the key alone. */
const HEADERS_OF: Readonly<Record<string, string>> = {
  'DELETE /v1/session': 'withSession',
  // A page of the server itself asks for it.
  'POST /v1/session/simulated': '{ origin: new URL(baseUrl).origin }',
};

function statementOf(call: Call, linked: ReadonlySet<string>): string {
  const { method, path, operationId, responses, requestBody } = call;
  const [media = ''] = Object.keys(successOf(responses)?.content ?? {});
  const isStream = media !== 'application/json' && media !== '';
  const headers = HEADERS_OF[`${method} ${path}`] ?? 'withKey';
  const [sent] = Object.entries(requestBody?.content ?? {});
  const options = [
    `params: ${paramsOf(call, linked)}`,
    ...(sent === undefined ? [] : [`body: ${JSON.stringify(sent[1].example)}`]),
    ...(sent === undefined || sent[0] === 'application/json'
      ? [`headers: ${headers}`]
      : [
          'bodySerializer: (lines: string) => lines',
          `headers: { ...${headers}, 'content-type': ${JSON.stringify(sent[0])} }`,
        ]),
    ...(isStream ? [`parseAs: 'stream'`] : []),
  ];
  const after = isStream ? 'await data?.cancel();' : keepLinked(call, operationId);
  const target = JSON.stringify(path);
  return `  {
    const { ${after === '' ? '' : 'data, '}response } = await client.${method}(${target}, { ${options.join(', ')} });
    await note(${JSON.stringify(`${method} ${path}`)}, response, copy);
    ${after}
  }`;
}

function successOf(responses: Call['responses']): Answer | undefined {
  const [status = ''] = Object.keys(responses).filter((code) => code.startsWith('2'));
  return responses[status];
}

/** Assignments of what links of the answer lead to. */
function keepLinked({ responses }: Call, operationId: string): string {
  const links = Object.values(successOf(responses)?.links ?? {});
  const kept = links.flatMap((link) =>
    Object.entries(link.parameters).map(([name, source]) => {
      const ofRequest = /^\$request\.path\.(\w+)$/.exec(source)?.[1];
      const ofAnswer = /^\$response\.body#\/(\w+)$/.exec(source)?.[1];
      const value =
        ofRequest === undefined
          ? `String(data?.${ofAnswer})`
          : `made[${JSON.stringify(`${operationId} ${ofRequest}`)}] ?? ''`;
      return `made[${JSON.stringify(`${link.operationId} ${name}`)}] = ${value};`;
    }),
  );
  return kept.join('\n    ');
}

/** Of several parameters that of a token is required; a range ends where the examples of it do. */
const GIVEN = new Set(['token_address', 'to_date']);

function paramsOf({ operationId, parameters = [] }: Call, linked: ReadonlySet<string>): string {
  const placed = (place: Parameter['in']) =>
    parameters
      .filter(({ in: given }) => given === place)
      .filter(({ name, required }) => required === true || GIVEN.has(name))
      .filter(({ name }) => operationId !== 'streamEvents' || name === 'topic')
      .map((parameter) => {
        const variable = `${operationId} ${parameter.name}`;
        const value = linked.has(variable)
          ? `made[${JSON.stringify(variable)}] ?? ''`
          : JSON.stringify(exampleOf(parameter));
        return `${JSON.stringify(parameter.name)}: ${value}`;
      });
  const parts = (['path', 'query'] as const)
    .map((place) => ({ place, values: placed(place) }))
    .filter(({ values }) => values.length > 0)
    .map(({ place, values }) => `${place}: { ${values.join(', ')} }`);
  return `{ ${parts.join(', ')} }`;
}

function exampleOf({ name, example, schema }: Parameter): unknown {
  const value = example ?? schema.examples?.[0] ?? schema.default;
  if (value === undefined) throw new Error(`the parameter ${name} has no example`);
  return value;
}
