import type { Endpoint } from '../../chain/rpc/nodes/endpoint.ts';

/** What time a node said it was, and when by this machine's clock, both since 1970. */
export interface NodeDate {
  /** To the second. */
  readonly nodeMs: number;
  readonly askedMs: number;
  readonly answeredMs: number;
}

/** Null for a node that does not say, or does not answer. */
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
    // The platform's words for a connection that failed or took too long.
    if (error instanceof TypeError || error instanceof DOMException) return null;
    throw error;
  }
}

/** A header's second has begun up to a second before the time it names is over. */
const DATE_STEP_MS = 1_000;

/** How far this machine's clock is ahead of the node's, at the least; 0 where they may agree. */
export function clockOffsetMs({ nodeMs, askedMs, answeredMs }: NodeDate): number {
  const aheadMs = askedMs - (nodeMs + DATE_STEP_MS);
  const behindMs = nodeMs - answeredMs;
  if (aheadMs > 0) return aheadMs;
  return behindMs > 0 ? -behindMs : 0;
}
