/** Descriptors that stay with the store, ingestion, workers and webhooks. */
const RESERVED_FILES = 512;
const CONNECTIONS_MIN = 64;
/** Twice the streams that may be open. */
const CONNECTIONS_MAX = 20_000;

/**
 * Connections that the API may have open at a time, by how many files the process may: whoever opens
 * connections takes no descriptor that the store needs. `filesMax` is null for no limit.
 */
export function connectionCapacity(filesMax: number | null): number {
  if (filesMax === null) return CONNECTIONS_MAX;
  return Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS_MIN, filesMax - RESERVED_FILES));
}

/** The room as the two listeners share it: gRPC carries many streams on few connections. */
export function shareConnections(
  filesMax: number | null,
  hasGrpc: boolean,
): { readonly http: number; readonly grpc: number } {
  const room = connectionCapacity(filesMax);
  const grpc = hasGrpc ? Math.floor(room / 4) : 0;
  return { http: room - grpc, grpc };
}
