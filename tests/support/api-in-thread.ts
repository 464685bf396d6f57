import { MessageChannel } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { createLogger } from '../../src/api/logger.ts';
import { attachApi } from '../../src/bridge/attach-api.ts';
import { createApi, type LocalReads } from '../../src/bridge/create-api.ts';
import type { ApiRequest, ApiSettings, ServiceMessage } from '../../src/bridge/messages.ts';
import { createSocialFile } from '../../src/bridge/social-reader.ts';
import type { Service } from '../../src/service/app.ts';
import { openOffchain } from '../../src/store/offchain/open-offchain.ts';

const SETTINGS = {
  rateLimitPerMinute: 10_000_000,
  rateLimitBurst: 1_000_000,
  openOps: false,
  simulation: null,
};

/**
 * The API of a service in the test's thread, behind a message channel as between threads. It does
 * not listen; it has received the service's state before this resolves. With a `dataDir`, it reads
 * the off-chain facts and posts that were gathered there.
 */
export async function apiInThread(
  service: Service,
  settings: Partial<ApiSettings> = {},
): Promise<FastifyInstance> {
  const { port1: here, port2: there } = new MessageChannel();
  const logger = createLogger({ level: 'fatal' });
  const given = { ...SETTINGS, ...settings };
  const { keys } = service.store;
  const { reads, close } = offchainReads(given.dataDir);
  const api = createApi((message) => there.postMessage(message), { keys, ...reads }, given, logger);
  const isReady = new Promise<void>((resolve) => {
    there.on('message', (message: ServiceMessage) => {
      api.take(message);
      resolve();
    });
  });
  const take = attachApi(service, {}, (message) => here.postMessage(message));
  here.on('message', (message: ApiRequest) => take(message));
  api.app.addHook('onClose', () => {
    here.close();
    close();
  });
  await isReady;
  return api.app;
}

interface OpenReads {
  readonly reads: Omit<LocalReads, 'keys'>;
  close(): void;
}

function offchainReads(dataDir: string | undefined): OpenReads {
  if (dataDir === undefined) return { reads: {}, close: () => undefined };
  const offchain = openOffchain(dataDir);
  const social = createSocialFile(offchain.social, () => offchain.openInbox());
  return { reads: { offchain: offchain.facts, social }, close: () => offchain.close() };
}
