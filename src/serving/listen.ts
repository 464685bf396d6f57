import type { FastifyInstance } from 'fastify';
import { UsageError } from '../model/errors.ts';
import type { ApiSettings } from './messages.ts';

const LISTEN_REFUSALS = new Set(['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND']);

/** Throws UsageError for an address or port that cannot be had. */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<ApiSettings, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!LISTEN_REFUSALS.has(code)) throw error;
    const message = `Cannot listen on ${host} port ${port} (${code}): choose another with --host or --port.`;
    throw new UsageError(message, { cause: error });
  }
}
