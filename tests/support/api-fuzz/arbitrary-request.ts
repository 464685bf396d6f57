import fc from 'fast-check';
import {
  allOf,
  type Draw,
  type Drawn,
  hostileText,
  jsonValue,
  type KnownValues,
  parameterText,
} from './arbitrary-value.ts';
import type { Operation, OperationParameter } from './operations.ts';

/** A request as it is sent, and whether it is valid. */
export interface FuzzRequest {
  readonly url: string;
  readonly contentType: string | null;
  readonly body: string | null;
  /** Whether the document allows it; null where only the service can decide. */
  readonly isValid: boolean | null;
}

interface NamedDraw {
  readonly parameter: OperationParameter;
  readonly drawn: Drawn<string> | null;
}

/** Requests to one operation: valid ones, edge cases and invalid ones. */
export function requestTo(operation: Operation, known: KnownValues): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(drawnRequest(operation, { known, isHonest: true }), {
    weight: 2,
    arbitrary: drawnRequest(operation, { known, isHonest: false }),
  });
}

function drawnRequest(operation: Operation, draw: Draw): fc.Arbitrary<FuzzRequest> {
  const parameters = operation.parameters.filter((one) => one.in !== 'header');
  const draws = parameters.map((parameter) => {
    const value = parameterText(parameter.name, parameter.schema, draw);
    const isRequired = parameter.required === true;
    const isAlways = parameter.in === 'path' || (draw.isHonest && isRequired);
    const freq = isRequired ? 14 : 1;
    const drawn = isAlways ? value : fc.option(value, { freq });
    return drawn.map((given): NamedDraw => ({ parameter, drawn: given }));
  });
  return fc
    .record({
      draws: fc.tuple(...draws),
      surplus: draw.isHonest ? fc.constant(null) : surplusQuery,
      body: bodyFor(operation, draw),
    })
    .map(({ draws: given, surplus, body }) => ({
      url: `${pathOf(operation, given)}${queryOf(given, surplus)}`,
      contentType: body?.contentType ?? null,
      body: body?.text ?? null,
      isValid: validityOf(operation, { draws: given, surplus, body }),
    }));
}

/** Parameters that most operations do not have; all but those with the prefix x- are refused. */
const surplusQuery = fc.option(
  fc.tuple(fc.constantFrom('__proto__', 'constructor', 'x-note', 'limit', 'page'), hostileText),
  { freq: 1, nil: null },
);

function pathOf({ path }: Operation, draws: readonly NamedDraw[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const draw = draws.find(({ parameter }) => parameter.in === 'path' && parameter.name === name);
    return encode(draw?.drawn?.value ?? '');
  });
}

function queryOf(draws: readonly NamedDraw[], surplus: readonly [string, string] | null): string {
  const pairs = draws
    .filter(({ parameter }) => parameter.in === 'query')
    .flatMap(({ parameter, drawn }) => (drawn === null ? [] : [[parameter.name, drawn.value]]));
  if (surplus !== null) pairs.push([...surplus]);
  const query = pairs.map(([name = '', value = '']) => `${encode(name)}=${encode(value)}`);
  return query.length === 0 ? '' : `?${query.join('&')}`;
}

/** Lone surrogates have no UTF-8 encoding: each is sent as the replacement character. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

interface DrawnParts {
  readonly draws: readonly NamedDraw[];
  readonly surplus: readonly [name: string, value: string] | null;
  readonly body: FuzzBody | null;
}

function validityOf(
  { path, parameters }: Operation,
  { draws, surplus, body }: DrawnParts,
): boolean | null {
  const inPath = draws.filter(({ parameter }) => parameter.in === 'path');
  // These values lead to another path or to none.
  if (inPath.some(({ drawn }) => /^\.{0,2}$/.test(drawn?.value ?? ''))) return null;
  const isMissing = draws.some(
    ({ parameter, drawn }) => drawn === null && parameter.required === true,
  );
  if (isMissing) return false;
  const isPage = path === '/' || path === '/llms.txt' || path.startsWith('/docs');
  // Pages accept any parameter.
  const isUnknown = (name: string) =>
    !isPage &&
    !name.startsWith('x-') &&
    !parameters.some((one) => one.in === 'query' && one.name === name);
  if (surplus !== null && isUnknown(surplus[0])) return false;
  const ofParameters = allOf(draws.flatMap(({ drawn }) => drawn ?? []));
  const ofBody = body === null ? true : body.isValid;
  if (ofParameters === false || ofBody === false) return false;
  return surplus === null && ofParameters === true && ofBody === true ? true : null;
}

interface FuzzBody {
  readonly text: string | null;
  readonly contentType: string | null;
  readonly isValid: boolean | null;
}

const JSON_TYPE = 'application/json';

function bodyFor(operation: Operation, draw: Draw): fc.Arbitrary<FuzzBody | null> {
  const { body, method } = operation;
  if (method === 'GET') return fc.constant(null);
  if (body === null) {
    return draw.isHonest ? fc.constant(null) : fc.oneof(fc.constant(null), brokenBody, otherBody);
  }
  const whole: fc.Arbitrary<FuzzBody> = jsonValue('body', body, draw).map(({ value, isValid }) => ({
    text: JSON.stringify(value),
    contentType: JSON_TYPE,
    isValid,
  }));
  if (draw.isHonest) return whole;
  // A duplicated field: either the last one counts or the request is refused.
  const doubled = whole.map(({ text }) => ({
    text: text?.replace(/^\{/, '{"trigger_id":"first","status":"archived",') ?? null,
    contentType: JSON_TYPE,
    isValid: null,
  }));
  return fc.oneof(
    { weight: 12, arbitrary: whole },
    { weight: 1, arbitrary: doubled },
    { weight: 2, arbitrary: brokenBody },
    { weight: 1, arbitrary: otherBody },
  );
}

/** Not a JSON object, or one nested too deep to parse completely. */
const brokenBody: fc.Arbitrary<FuzzBody> = fc
  .constantFrom(
    '',
    'null',
    '[]',
    '"text"',
    '{',
    '{"a":',
    '\ufeff{}',
    '{"__proto__":{"admin":true}}',
    `${'['.repeat(10_000)}`,
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `{"trigger_id":"${'x'.repeat(70_000)}"}`,
  )
  .map((text) => ({ text, contentType: JSON_TYPE, isValid: null }));

const otherBody: fc.Arbitrary<FuzzBody> = fc
  .record({
    text: fc.constantFrom('{}', 'a=b', '<xml/>', '{"deleted":true,"platform":"x","postId":"1"}\n'),
    contentType: fc.constantFrom(
      'text/plain',
      'text/xml',
      'application/x-ndjson',
      'application/json\t;',
      'application/json; charset=utf-16',
      'multipart/form-data',
    ),
  })
  .map((given) => ({ ...given, isValid: null }));
