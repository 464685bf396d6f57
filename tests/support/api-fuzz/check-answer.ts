import type { LightMyRequestResponse } from 'fastify';
import { Value } from 'typebox/value';
import type { Operation } from './operations.ts';

type Answer = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'json'>;

/** How an answer contradicts the document, in words; null for an answer as documented. */
export function answerFault(operation: Operation, answer: Answer): string | null {
  const { statusCode: status } = answer;
  const documented = operation.answers[String(status)];
  if (documented === undefined) return `status ${status} is not documented`;
  if (status >= 500 && status !== 503) return `status ${status}`;
  const json = documented.content?.['application/json'];
  if (json === undefined) return null;
  const type = String(answer.headers['content-type'] ?? '');
  if (!type.startsWith('application/json')) return `status ${status} has the type ${type}`;
  const body: unknown = answer.json();
  if (status >= 400 && (body as { code?: unknown }).code !== status) {
    return `the body of ${status} has another code`;
  }
  if (Value.Check(json.schema, body)) return null;
  const [first] = Value.Errors(json.schema, body);
  const where = first === undefined ? '' : ` at ${first.instancePath}: ${first.message}`;
  return `the body of ${status} is not as documented${where}`;
}
