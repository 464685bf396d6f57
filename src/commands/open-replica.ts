import type { NatsConnection } from '@nats-io/transport-node';
import type { FastifyBaseLogger } from 'fastify';
import { StreamSource } from '../cluster/stream-source.ts';
import type { Config } from '../config/config-settings.ts';
import { monotonicClock } from '../lib/clock.ts';
import { StoreError } from '../model/errors.ts';
import type { Service } from '../service/app.ts';
import { type FollowedChain, finalPointOf } from './follow-chain.ts';
import { openSharedLog } from './open-step-log.ts';

/** A replica's part in several machines. */
export interface Replica {
  /** The stream as a chain to follow, from where the data folder ends. */
  follow(service: Service): Promise<FollowedChain>;
  close(): Promise<void>;
}

/** Connects in the background: the stored state is served meanwhile. */
export function openReplica(
  config: Config,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
): Replica {
  let connection: NatsConnection | null = null;
  const log = openSharedLog(config, logger, signal).then((shared) => {
    connection = shared.connection;
    return shared.log;
  });
  // Reported by whoever reads the source.
  log.catch(() => undefined);
  return {
    async follow({ store, ingestion }) {
      const { finalSlot } = ingestion.status;
      const final = finalSlot === null ? null : await finalPointOf(store, finalSlot);
      if (finalSlot !== null && final === null) throw new StoreError(withoutHash(finalSlot));
      const { natsStream: name } = config;
      const source = new StreamSource({ log, name, final, clock: monotonicClock, signal });
      return { source, observer: null };
    },
    async close() {
      await connection?.close();
    },
  };
}

function withoutHash(slot: number): string {
  return `Slot ${slot}, the last of the data folder, was recorded without its hash, so that it cannot be found in the stream: use a folder that a chain was followed into.`;
}
