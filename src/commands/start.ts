import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import type { FastifyBaseLogger } from 'fastify';
import { createLogger } from '../api/logger.ts';
import { createApi, openService, type Service } from '../app.ts';
import type { Config } from '../config.ts';
import { StoreError } from '../model/errors.ts';
import { createRecordedSource } from '../sources/recorded/recorded-source.ts';
import { DEFAULT_ACCOUNT, KEY_SCOPES } from '../store/control/api-keys.ts';
import { logProgress } from './log-progress.ts';
import { addSettings, settingsOf } from './settings.ts';

/** A shutdown that takes longer than this ends without waiting for clients. */
const DRAIN_MS = 8_000;

/** `start`: serves the API over the data folder, replaying recorded data first if asked. */
export function startCommand(): Command {
  const command = new Command('start')
    .description('Serve the API over the data folder.')
    .option(
      '--replay <paths...>',
      'fold recorded getBlock and getTransaction answers while serving',
    );
  return addSettings(command, true)
    .addHelpText(
      'after',
      `
Examples:
  mintscope start
  mintscope start --replay blocks/ --port 9000
  MINTSCOPE_BOOTSTRAP_KEY=my-own-secret mintscope start`,
    )
    .action(async (options: Record<string, unknown>) => {
      await start(settingsOf(options), (options.replay as string[] | undefined) ?? []);
    });
}

async function start(config: Config, paths: readonly string[]): Promise<void> {
  const logger = createLogger({ level: config.logLevel });
  const stopping = new AbortController();
  const service = await openService(config, {
    onFold: (slots) => {
      if (slots % 10_000 === 0) logger.info({ slots }, 'folding the log');
    },
  });
  const api = createApi(service, config, logger);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        logger.info({ signal }, 'stopping');
        stopping.abort();
        resolve();
      });
    }
  });
  await api.listen({ host: config.host, port: config.port });
  const { port } = api.server.address() as AddressInfo;
  logger.info({ host: config.host, port, dataDir: config.dataDir }, 'listening');
  welcome(service, config, `http://${hostInUrl(config.host)}:${port}`);
  const replayed = replay(service, paths, logger, stopping.signal);
  await stopped;
  await replayed;
  const drain = setTimeout(() => api.server.closeAllConnections(), DRAIN_MS);
  await api.close();
  clearTimeout(drain);
  await service.close();
  logger.info('stopped');
}

/** Makes sure that a key exists and says how to use it. A made key is shown this once. */
function welcome({ store }: Service, config: Config, url: string): void {
  const key = keyToShow(store, config);
  const lines = [`Mintscope listens on ${url}; its reference is at ${url}/docs`];
  if (key !== null) {
    lines.push(`API key, shown this once: ${key}`);
    lines.push(`curl -H 'X-API-Key: ${key}' ${url}/readyz`);
  } else {
    lines.push(
      'API keys exist: "mintscope keys list" shows them, "mintscope keys create" makes one.',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

function keyToShow(store: Service['store'], config: Config): string | null {
  if (config.bootstrapKey !== null) {
    const state = store.keys.installBootstrap(config.bootstrapKey);
    if (state !== 'revoked') return null;
  }
  if (store.keys.list().length > 0) return null;
  const request = {
    accountId: DEFAULT_ACCOUNT,
    scopes: KEY_SCOPES,
    label: 'first start',
    expiresAtMs: null,
  };
  return store.keys.create(request).text;
}

/** Runs beside the server; what goes wrong with the input is logged, a failing store stops it. */
async function replay(
  { ingestion }: Service,
  paths: readonly string[],
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Promise<void> {
  if (paths.length === 0) return;
  try {
    const source = createRecordedSource(paths, {
      onProgress: logProgress(logger),
      signal,
    });
    const result = await ingestion.ingest(source, {
      signal,
      onProblem: (problem) => logger.warn({ problem }, 'part of the input could not be used'),
    });
    logger.info({ ...result, lastSlot: ingestion.engine.lastSlot }, 'replay finished');
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    logger.error({ err: error }, 'the store refused a write; restart to repair');
  }
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
