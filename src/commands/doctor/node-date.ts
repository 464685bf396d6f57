import type { Endpoint } from '../../chain/rpc/nodes/endpoint.ts';

/** Time reported by a node, and the local times of the request and its answer, all since 1970. */
export interface NodeDate {
  /** With a resolution of one second. */
  readonly nodeMs: number;
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** Null if the node does not report the time or does not answer. */
export async function readNodeDate(
  { url, headers }: Endpoint,
  deadlineMs: number,
): Promise<NodeDate | null> {
  const askedMs = Date.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"getHealth"}',
      redirect: 'error',
      signal: AbortSignal.timeout(deadlineMs),
    });
    const answeredMs = Date.now();
    await response.body?.cancel();
    const nodeMs = Date.parse(response.headers.get('date') ?? '');
    return Number.isFinite(nodeMs) ? { nodeMs, askedMs, answeredMs } : null;
  } catch (error) {
    // Errors of fetch for a failed connection or a timeout.
    if (error instanceof TypeError || error instanceof DOMException) return null;
    throw error;
  }
}

/** Resolution of the header: the actual time is up to one second later. */
const DATE_STEP_MS = 1_000;

/** Minimum offset of the local clock from the node's, positive if ahead; 0 if they may agree. */
export function clockOffsetMs({ nodeMs, askedMs, answeredMs }: NodeDate): number {
  const aheadMs = askedMs - (nodeMs + DATE_STEP_MS);
  const behindMs = nodeMs - answeredMs;
  if (aheadMs > 0) return aheadMs;
  return behindMs > 0 ? -behindMs : 0;
}
