import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { createMetricFamilies, METRICS_TYPE } from '../api/http/metrics.ts';
import { createLogger } from '../api/logger.ts';
import { createOpsServer } from '../api/server/ops-server.ts';
import { exposeBuild } from '../bridge/build-metrics.ts';
import { connectionCapacity } from '../bridge/connection-capacity.ts';
import { portRefusal } from '../bridge/listen.ts';
import type { Config } from '../config/config-settings.ts';
import { VERSION } from '../config/version.ts';
import { monotonicClock } from '../lib/clock.ts';
import { openFilesMax } from '../lib/open-files.ts';
import { steadyNowMs } from '../lib/steady-time.ts';
import { UsageError } from '../model/errors.ts';
import { createRelayNode, type RelayNode } from '../relay/relay-node.ts';
import { Replicas } from '../relay/replicas.ts';
import { exposeRelay } from '../service/relay-metrics.ts';
import { relayReadiness } from '../service/relay-readiness.ts';
import { stopSignal } from './stop-signals.ts';
import { warnOfSetup } from './warn-of-setup.ts';

/** Time limit for clients during shutdown. */
const DRAIN_MS = 8_000;

/**
 * `--role api`: answers clients from replicas until the process is asked to stop. There is neither a
 * data folder nor a state.
 */
export async function runApiRole(config: Config): Promise<void> {
  const { replicas: origins } = config;
  if (origins.length === 0) {
    throw new UsageError(
      'The role api answers from replicas: name them with --replicas, such as http://fold-1:8080,http://fold-2:8080.',
    );
  }
  const logger = createLogger({ level: config.logLevel });
  warnOfSetup({ ...config, rpcUrl: null }, process.env, logger);
  const stopping = new AbortController();
  const stopped = stopSignal(logger, stopping);
  const replicas = new Replicas({
    origins,
    clock: monotonicClock,
    onChange: ({ origin, report }) => logger.info({ replica: origin, ...report }, 'replica'),
  });
  const families = createMetricFamilies({ isOfProcess: true });
  const ops = createOpsServer(
    {
      chain: { readiness: async () => relayReadiness(replicas.all), standstill: () => null },
      metrics: { ...families, contentType: METRICS_TYPE },
      steadyNowMs,
    },
    { version: VERSION, openOps: config.openOps },
  );
  await ops.ready();
  const connectionsMax = connectionCapacity(openFilesMax());
  const answerOps: RequestListener = (request, response) => ops.routing(request, response);
  const node = createRelayNode({ replicas, version: VERSION, ops: answerOps, connectionsMax });
  exposeBuild(families);
  exposeRelay(families, { ...node, replicas });
  await replicas.probeAll();
  const watching = replicas.watch(stopping.signal);
  try {
    await listen(node.server, config, logger);
    await stopped;
  } finally {
    stopping.abort();
    await close(node);
    await Promise.all([watching, replicas.close(), ops.close()]);
  }
  logger.info('stopped');
}

/** Throws UsageError if the address or port is unavailable. */
async function listen(
  server: Server,
  { host, port, replicas }: Config,
  logger: Pick<FastifyBaseLogger, 'info'>,
): Promise<void> {
  server.listen({ host, port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw portRefusal(error, host, port);
  }
  logger.info({ host, port: (server.address() as AddressInfo).port, replicas }, 'listening');
}

/** Requests in flight are completed within a time limit. */
async function close({ server, sockets }: RelayNode): Promise<void> {
  sockets.close();
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(limit);
}
