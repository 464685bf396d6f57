import { displayText } from '../../lib/terminal/display-text.ts';
import { ServiceError } from '../../model/errors.ts';
import { ONLY_SERVICE, type ServiceNaming } from './service-address.ts';

const MESSAGE_LENGTH_MAX = 1_000;

/** An answer other than 200. */
export interface RefusedAnswer {
  readonly url: URL;
  /** Whether a key was sent. */
  readonly hasKey: boolean;
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: string;
  /** `ONLY_SERVICE` if omitted. */
  readonly named?: ServiceNaming | undefined;
}

/** Why there was no answer, and what to do about it. */
export function connectionProblem(
  { host, hostname }: URL,
  error: Error,
  { option } = ONLY_SERVICE,
): ServiceError {
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = codeOf(cause);
  return new ServiceError(sentence(), { cause: error });

  function sentence(): string {
    if (code === 'ECONNREFUSED') {
      return `No service answers at ${host}: start one with "mintscope start", or name its address with ${option}.`;
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      return `There is no host ${hostname}: name the address of the service with ${option}.`;
    }
    if (error.name === 'TimeoutError') {
      return `${host} did not answer in time: it may be starting or busy, so try again.`;
    }
    return `${host} cannot be asked: ${displayText(cause.message)}. Check ${option}.`;
  }
}

/** What a refusal means, and what to do about it. */
export function refusal(answer: RefusedAnswer): ServiceError {
  const { status } = answer;
  const isPassing = status === 429 || status >= 500;
  return new ServiceError(refusalSentence(answer), { isPermanent: !isPassing });
}

function refusalSentence(answer: RefusedAnswer): string {
  const { hasKey, status, headers, text, named = ONLY_SERVICE } = answer;
  const { host } = answer.url;
  const { option, keyVariable } = named;
  const message = messageIn(text);
  if (status >= 300 && status < 400) {
    const target = displayText(headers.get('location') ?? 'another address');
    return `${host} refers to ${target}: name that address with ${option}.`;
  }
  if (message === null) {
    return `${host} answered with status ${status} and is no service of this version: check ${option}.`;
  }
  switch (status) {
    case 401:
      return hasKey
        ? `${host} does not know this API key: set ${keyVariable} to one of its own, which "mintscope keys create" makes.`
        : `${host} wants an API key: set ${keyVariable} to one, which "mintscope keys create" makes.`;
    case 403:
      return `${message} Use a key with it, which "mintscope keys create --scopes" makes.`;
    case 404:
      return `${message} The service has what ${host}/v1/coverage covers.`;
    case 429:
    case 503:
      return `${message} ${retryAdvice(headers.get('retry-after'))}`;
    default:
      return message;
  }
}

function retryAdvice(retryAfter: string | null): string {
  const seconds = Number(retryAfter);
  return retryAfter !== null && Number.isInteger(seconds)
    ? `Try again in ${seconds} s.`
    : 'Try again later.';
}

/** The sentence of an error body; null for any other body. */
function messageIn(text: string): string | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof body !== 'object' || body === null || !('message' in body)) return null;
  const { message } = body;
  return typeof message === 'string' ? displayText(message.slice(0, MESSAGE_LENGTH_MAX)) : null;
}

function codeOf(error: Error): string | null {
  // Of several addresses of a host, each has an error of its own.
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error && 'code' in first ? String(first.code) : null;
}
