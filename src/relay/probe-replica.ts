import { type Dispatcher, errors } from 'undici';

/**
 * What a replica says of itself. `ready`: it does all it should. `unready`: it answers, perhaps with
 * old data. `silent`: it answers nothing, or nothing that may be used.
 */
export type ReplicaState = 'ready' | 'unready' | 'silent';

export interface ReplicaReport {
  readonly state: ReplicaState;
  /** One sentence. */
  readonly detail: string;
  /** Slot that its reads are as of; null if unknown. */
  readonly slot: number | null;
}

const BODY_BYTES_MAX = 65_536;
const DETAIL_CHARS = 300;

/** Asks a replica for its readiness. Never rejects. */
export async function probeReplica(
  dispatcher: Dispatcher,
  origin: string,
  timeoutMs: number,
): Promise<ReplicaReport> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { origin, path: '/readyz', method: 'GET' as const, signal };
    const { statusCode, headers, body } = await dispatcher.request(options);
    const text = await textOf(body);
    return reportOf(statusCode, headers['x-slot'], text);
  } catch (error) {
    return silent(reasonOf(error));
  }
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function reportOf(status: number, slotText: unknown, body: string): ReplicaReport {
  if (status === 401 || status === 403) {
    return silent('it does not say whether it is ready: start it with --open-ops true');
  }
  if (status !== 200 && status !== 503) return silent(`it answers /readyz with ${status}`);
  const message = status === 200 ? 'ready' : messageOf(body);
  // A replica that most others contradict names no slot, because it answers nothing.
  if (typeof slotText !== 'string' || !/^\d{1,16}$/.test(slotText)) {
    return silent(status === 200 ? 'it has no slot yet' : message);
  }
  const slot = Number(slotText);
  return { state: status === 200 ? 'ready' : 'unready', detail: message, slot };
}

function silent(detail: string): ReplicaReport {
  return { state: 'silent', detail: detail.slice(0, DETAIL_CHARS), slot: null };
}

function messageOf(body: string): string {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    if (typeof message === 'string') return message.slice(0, DETAIL_CHARS);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return 'it is not ready';
}

/** The code alone where there is one: messages of the network library name internals. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.RequestAbortedError || isTimeout(error)) return 'it does not answer';
  const code = (error as NodeJS.ErrnoException).code;
  return `it cannot be reached (${code ?? String(error)})`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}
