/** Descriptors reserved for the store, ingestion, workers and webhooks. */
const RESERVED_FILES = 512;
const CONNECTIONS_MIN = 64;
/** Twice the maximum number of open streams. */
const CONNECTIONS_MAX = 20_000;

/**
 * Maximum number of connections of the API, given the file limit of the process: connections must
 * not use up the descriptors that the store needs. `filesMax` is null for no limit.
 */
export function connectionCapacity(filesMax: number | null): number {
  if (filesMax === null) return CONNECTIONS_MAX;
  return Math.min(CONNECTIONS_MAX, Math.max(CONNECTIONS_MIN, filesMax - RESERVED_FILES));
}

/**
 * Divides the connections between the two listeners. gRPC needs fewer, with many streams per
 * connection.
 */
export function shareConnections(
  filesMax: number | null,
  hasGrpc: boolean,
): { readonly http: number; readonly grpc: number } {
  const capacity = connectionCapacity(filesMax);
  const grpc = hasGrpc ? Math.floor(capacity / 4) : 0;
  return { http: capacity - grpc, grpc };
}
