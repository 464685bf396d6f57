import type { StreamInfo } from '@nats-io/jetstream';
import { controlStreamOf } from '../../cluster/control-stream.ts';
import { JetStreamStepLog } from '../../cluster/jetstream-step-log.ts';
import { connectToNats, type NatsServers } from '../../cluster/nats-connection.ts';
import { offchainStreamOf } from '../../cluster/offchain/offchain-stream-name.ts';
import { UsageError } from '../../model/errors.ts';

/** What is asked of the NATS servers. */
export type NatsFacts =
  | { readonly kind: 'unreachable'; readonly reason: string }
  | {
      readonly kind: 'reached';
      readonly version: string;
      readonly maxPayloadBytes: number;
      /** Whether the server belongs to a cluster of several. */
      readonly isClustered: boolean;
      /** Null while there is no stream. */
      readonly stream: NatsStreamFacts | null;
      /** The stream of changes of keys, triggers, webhooks, reviews and rules; null without. */
      readonly control: NatsStreamFacts | null;
      /** The stream of off-chain data; null without. */
      readonly offchain: NatsStreamFacts | null;
      /** Why the stream cannot be examined; null if it can. */
      readonly streamFault: string | null;
    };

export interface NatsStreamFacts {
  /** Servers that keep a copy. */
  readonly replicas: number;
  /** Copies that are up to date, the leader's included. */
  readonly current: number;
  readonly isOnDisk: boolean;
  /** 0: messages are kept without end. */
  readonly maxAgeMs: number;
}

const NANOSECONDS = 1_000_000;

/** Asks the servers about themselves and the streams, within a time limit. Never rejects. */
export async function readNatsFacts(
  servers: NatsServers,
  stream: string,
  deadlineMs: number,
): Promise<NatsFacts> {
  try {
    const signal = AbortSignal.timeout(deadlineMs);
    const connection = await connectToNats(servers, 'mintscope doctor', { signal });
    try {
      const {
        version = 'unknown',
        max_payload: maxPayloadBytes = 0,
        cluster,
      } = connection.info ?? {};
      const isClustered = cluster !== undefined && cluster !== '';
      const server = { kind: 'reached', version, maxPayloadBytes, isClustered } as const;
      return { ...server, ...(await streamOf(connection, stream)) };
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'unreachable', reason: error.message };
    return { kind: 'unreachable', reason: 'no server answers' };
  }
}

async function streamOf(
  connection: Parameters<typeof JetStreamStepLog.inspect>[0],
  name: string,
): Promise<{
  stream: NatsStreamFacts | null;
  control: NatsStreamFacts | null;
  offchain: NatsStreamFacts | null;
  streamFault: string | null;
}> {
  const factsOf = async (stream: string) => {
    const info = await JetStreamStepLog.inspect(connection, stream);
    return info === null ? null : streamFacts(info);
  };
  try {
    const stream = await factsOf(name);
    const control = await factsOf(controlStreamOf(name));
    const offchain = await factsOf(offchainStreamOf(name));
    return { stream, control, offchain, streamFault: null };
  } catch (error) {
    const streamFault = error instanceof Error ? error.message : String(error);
    return { stream: null, control: null, offchain: null, streamFault };
  }
}

function streamFacts({
  config: { num_replicas: replicas, max_age: maxAge, storage },
  cluster,
}: StreamInfo): NatsStreamFacts {
  const others = cluster?.replicas ?? [];
  const current = 1 + others.filter((one) => one.current).length;
  return { replicas, current, isOnDisk: storage === 'file', maxAgeMs: maxAge / NANOSECONDS };
}
