import type { NatsConnection } from '@nats-io/transport-node';
import type { FastifyBaseLogger } from 'fastify';
import { controlStreamOf } from '../cluster/control-stream.ts';
import { JetStreamStepLog } from '../cluster/jetstream-step-log.ts';
import { connectToNats, isOldNats, SAFE_NATS_VERSION } from '../cluster/nats-connection.ts';
import { offchainStreamOf } from '../cluster/offchain/offchain-stream-name.ts';
import type { StepLog } from '../cluster/step-log.ts';
import type { Config } from '../config/config-settings.ts';
import { UsageError } from '../model/errors.ts';

/** The stream that several machines share, and the connection it is reached through. */
export interface SharedLog {
  readonly connection: NatsConnection;
  readonly log: StepLog;
  /** Changes of the control plane. */
  readonly control: StepLog;
  /** Changes of off-chain data. */
  readonly offchain: StepLog;
}

/**
 * Connects to the configured servers, waiting for the first that answers, and opens the streams.
 * Rejects with UsageError if the servers are too old or cannot have the stream.
 */
export async function openSharedLog(
  config: Config,
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  signal: AbortSignal,
): Promise<SharedLog> {
  const servers = natsServersOf(config);
  const connection = await connectToNats(servers, `mintscope ${config.replicaName}`, {
    signal,
    onWaiting: () => logger.warn('no NATS server answers; the process waits for one'),
  });
  const version = connection.info?.version ?? 'unknown';
  if (isOldNats(version)) {
    if (config.natsOldServers === 'refuse') {
      await connection.close();
      throw new UsageError(oldServer(version));
    }
    logger.warn({ version }, 'the NATS server is too old for production: it may lose the stream');
  }
  const { natsStream: name, natsReplicas: replicas, natsStreamAge: maxAgeMs } = config;
  try {
    const log = await JetStreamStepLog.open(connection, { name, replicas, maxAgeMs }, signal);
    const kept = { name: controlStreamOf(name), replicas, maxAgeMs: 0 };
    const control = await JetStreamStepLog.open(connection, kept, signal);
    const found = { name: offchainStreamOf(name), replicas, maxAgeMs };
    const offchain = await JetStreamStepLog.open(connection, found, signal);
    logger.info({ stream: name, version }, 'connected to the stream');
    return { connection, log, control, offchain };
  } catch (error) {
    // An open connection would keep the process alive.
    await connection.close();
    throw error;
  }
}

/** Throws UsageError without servers. */
export function natsServersOf({ role, natsUrl }: Config) {
  if (natsUrl !== null) return natsUrl;
  throw new UsageError(
    `The role ${role} needs a stream: set MINTSCOPE_NATS_URL to its NATS servers.`,
  );
}

function oldServer(version: string): string {
  return `The NATS server has version ${version}, and streams of versions before ${SAFE_NATS_VERSION} can be lost: update it. For a trial, --nats-old-servers allow accepts it.`;
}
