import { readFileSync } from 'node:fs';
import { ServerCredentials } from '@grpc/grpc-js';
import type { FastifyInstance } from 'fastify';
import type { BoundedGrpcServer } from '../api/streams/grpc/bounded-grpc-server.ts';
import { UsageError } from '../model/errors.ts';
import type { ApiSettings, GrpcBindAddress } from './messages.ts';

const LISTEN_REFUSALS = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND']);

/** Throws UsageError if the address or port is unavailable. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<ApiSettings, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw portRefusal(error, host, port);
  }
}

/** The UsageError for an address or port that is unavailable; any other error unchanged. */
export function portRefusal(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (!LISTEN_REFUSALS.has(code)) return error;
  const message = `Cannot listen on ${host} port ${port} (${code}): choose another with --host or --port.`;
  return new UsageError(message, { cause: error });
}

/**
 * Binds the gRPC server and returns its port. Throws UsageError if the address or port is
 * unavailable.
 */
export async function bindGrpc(
  server: BoundedGrpcServer,
  host: string,
  address: GrpcBindAddress,
): Promise<number> {
  const credentials = credentialsOf(address);
  try {
    return await server.listen(host, address.port, credentials);
  } catch (error) {
    const message = `Cannot listen on ${host} port ${address.port} for gRPC: choose another with --grpc-port.`;
    throw new UsageError(message, { cause: error });
  }
}

function credentialsOf({ tlsCertFile, tlsKeyFile }: GrpcBindAddress): ServerCredentials {
  if (tlsCertFile === null && tlsKeyFile === null) return ServerCredentials.createInsecure();
  if (tlsCertFile === null || tlsKeyFile === null) {
    throw new UsageError('Name both --grpc-tls-cert-file and --grpc-tls-key-file, or neither.');
  }
  try {
    const pair = { cert_chain: readFileSync(tlsCertFile), private_key: readFileSync(tlsKeyFile) };
    return ServerCredentials.createSsl(null, [pair]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The certificate for gRPC cannot be used: ${reason}.`, { cause: error });
  }
}
