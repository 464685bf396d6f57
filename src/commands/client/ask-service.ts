import { ServiceError } from '../../model/errors.ts';
import type { ServiceAddress } from './service-address.ts';
import { connectionProblem, refusal } from './service-problems.ts';

const DEADLINE_MS = 10_000;
const BODY_BYTES_MAX = 16 * 2 ** 20;

export interface ServiceAnswer {
  /** The body as it was sent. */
  readonly text: string;
  readonly headers: Headers;
}

export interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** GET by default. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Ends the question. */
  readonly signal?: AbortSignal;
}

/** Asks a running service. Throws ServiceError for anything but an answer with 200 or 201. */
export async function askService(
  address: ServiceAddress,
  question: Question,
): Promise<ServiceAnswer> {
  const { url, status, headers, text } = await fetchAnswer(address, question);
  if (status === 200 || status === 201) return { text, headers };
  const { key, named } = address;
  throw refusal({ url, hasKey: key !== null, status, headers, text, named });
}

export interface FetchedAnswer extends ServiceAnswer {
  readonly url: URL;
  readonly status: number;
}

/** As `askService`, with answers of any status. Throws ServiceError if there is none. */
export async function fetchAnswer(
  { baseUrl, key, named }: ServiceAddress,
  { path, query = {}, signal, method = 'GET', body }: Question,
): Promise<FetchedAnswer> {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, {
      method,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The key is for this service alone.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(DEADLINE_MS), ...(signal ? [signal] : [])]),
    });
    text = await readBounded(answer);
  } catch (error) {
    if (error instanceof ServiceError || !(error instanceof Error)) throw error;
    throw connectionProblem(url, error, named);
  }
  return { url, status: answer.status, headers: answer.headers, text };
}

async function readBounded({ body, url }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) {
      throw new ServiceError(
        `${new URL(url).host} answered with more than ${BODY_BYTES_MAX} bytes: ask for less.`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
