import { Agent, Pool } from 'undici';
import { probeReplica, type ReplicaReport } from './probe-replica.ts';

export interface ReplicaLimits {
  /** Connections that requests to one replica share. Streams have connections of their own. */
  readonly connectionsMax: number;
  /** Time for an answer to begin, and between its parts. */
  readonly answerMs: number;
  readonly connectMs: number;
  readonly probeMs: number;
}

export const REPLICA_LIMITS: ReplicaLimits = {
  connectionsMax: 128,
  answerMs: 15_000,
  connectMs: 1_000,
  probeMs: 2_000,
};

/** Shorter than the silence after which replicas close a connection. */
const KEEP_ALIVE_MAX_MS = 30_000;

/** Silent probes in a row after which streams leave: a single one may be late on a busy machine. */
const SILENT_PROBES = 2;

const NOT_ASKED: ReplicaReport = { state: 'silent', detail: 'it was not asked yet', slot: null };

/** A replica of the fold, and the connections to it. */
export class Replica {
  /** Such as `http://fold-1:8080`. */
  readonly origin: string;
  /** Connections of requests. */
  readonly pool: Pool;
  /** Connections of streams, which are open for long. */
  readonly streams: Agent;
  /** Requests that it has not answered yet. */
  inFlight = 0;
  /** Requests sent to it since the start. */
  sent = 0;
  private readonly limits: ReplicaLimits;
  private readonly probes: Agent;
  private readonly ends = new Set<() => void>();
  private latest: ReplicaReport = NOT_ASKED;
  private silentProbes = 0;

  constructor(origin: string, limits: ReplicaLimits) {
    this.origin = origin;
    this.limits = limits;
    const { connectionsMax: connections, answerMs, connectMs: timeout } = limits;
    const times = { headersTimeout: answerMs, bodyTimeout: answerMs };
    this.pool = new Pool(origin, {
      connections,
      pipelining: 1,
      ...times,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      connect: { timeout },
    });
    this.streams = new Agent({ pipelining: 0, ...times, bodyTimeout: 0, connect: { timeout } });
    this.probes = new Agent({ connections: 1, connect: { timeout: limits.probeMs } });
  }

  get report(): ReplicaReport {
    return this.latest;
  }

  /** Asks it how it is. Once it was silent twice in a row, what is open at it for long is ended. */
  async probe(): Promise<ReplicaReport> {
    this.latest = await probeReplica(this.probes, this.origin, this.limits.probeMs);
    this.silentProbes = this.latest.state === 'silent' ? this.silentProbes + 1 : 0;
    if (this.silentProbes >= SILENT_PROBES) for (const end of [...this.ends]) end();
    return this.latest;
  }

  /**
   * `end` is called when probes find the replica silent: a connection to a machine that hangs, or is
   * cut off, does not end by itself. Returns what must be called once that is no longer wanted.
   */
  endWhenSilent(end: () => void): () => void {
    this.ends.add(end);
    return () => this.ends.delete(end);
  }

  /** A request has failed: nothing is sent until it has said how it is. */
  failed(detail: string): void {
    this.latest = { state: 'silent', detail, slot: this.latest.slot };
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.destroy(), this.streams.destroy(), this.probes.destroy()]);
  }
}
