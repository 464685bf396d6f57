/**
 * Revisions of the protocol. In the current one, each request names revision and capabilities of the
 * client in its `_meta`. In earlier ones, `initialize` agrees on the revision; they are served
 * without a session, so nothing is remembered between requests of them either.
 */
export const CURRENT_REVISION = '2026-07-28';

/** Newest first. */
export const EARLIER_REVISIONS = ['2025-11-25', '2025-06-18'] as const;

export const META = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

export function isEarlierRevision(text: unknown): boolean {
  return EARLIER_REVISIONS.some((one) => one === text);
}
