import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from './faults.ts';
import { readBody, reply } from './http-face.ts';

const BODY_BYTES_MAX = 64 * 1024;
/** More slots than this at once would block all other clients. */
const ADVANCE_MAX = 10_000;

export interface Control {
  readonly faults: Faults;
  /** Advances the chain by this many slots. */
  readonly advance: (slots: number) => Promise<void>;
}

/** Whether a request is for the control endpoint. */
export function isControl({ url }: IncomingMessage): boolean {
  return url === '/faults' || url === '/advance';
}

/**
 * `GET /faults` returns the fault settings, `POST /faults` changes the fields it contains, `DELETE
 * /faults` switches all faults off; `POST /advance {"slots": n}` advances the chain. For this
 * machine only.
 */
export async function answerControl(
  { faults, advance }: Control,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!isLoopback(request)) return respond(response, 403, { error: 'only from this machine' });
  const { method, url } = request;
  if (url === '/faults' && method === 'GET') return respond(response, 200, faults.settings);
  if (url === '/faults' && method === 'DELETE') {
    faults.calm();
    return respond(response, 200, faults.settings);
  }
  if (method !== 'POST') return respond(response, 405, { error: 'GET, POST or DELETE' });
  const document = await readDocument(request);
  if (document === undefined) return respond(response, 400, { error: 'the body must be JSON' });
  if (url === '/faults') {
    const reading = faults.change(document);
    if (reading.kind === 'refused') return respond(response, 400, { error: reading.message });
    return respond(response, 200, reading.settings);
  }
  const slots = (document as { slots?: unknown } | null)?.slots;
  if (typeof slots !== 'number' || !Number.isInteger(slots) || slots < 1 || slots > ADVANCE_MAX) {
    return respond(response, 400, {
      error: `slots must be a whole number from 1 to ${ADVANCE_MAX}`,
    });
  }
  await advance(slots);
  respond(response, 200, { slots });
}

/** Undefined for a body that is not JSON or too long. */
export async function readDocument(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, BODY_BYTES_MAX);
  if (body.kind !== 'text') return undefined;
  try {
    return JSON.parse(body.text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isLoopback({ socket }: IncomingMessage): boolean {
  const address = socket.remoteAddress ?? '';
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

export function respond(response: ServerResponse, status: number, body: object): void {
  reply(response, status, JSON.stringify(body), {
    'content-type': 'application/json',
    connection: 'close',
  });
}
