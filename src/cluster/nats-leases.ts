import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import type { LeaseEntry, LeaseStore } from './lease.ts';

/** Leases in a key-value bucket of NATS, whose leader orders reads and writes. */
export class NatsLeases implements LeaseStore {
  private readonly bucket: KV;

  private constructor(bucket: KV) {
    this.bucket = bucket;
  }

  /** Opens the bucket of a stream, and creates it if there is none. */
  static async open(
    connection: NatsConnection,
    stream: string,
    replicas: number,
  ): Promise<NatsLeases> {
    // Answers of other servers than the leader may be old.
    const options = { replicas, history: 1, allow_direct: false };
    return new NatsLeases(await new Kvm(connection).create(`${stream}-leases`, options));
  }

  async read(key: string): Promise<LeaseEntry | null> {
    const entry = await this.bucket.get(key);
    if (entry === null || entry.operation !== 'PUT') return null;
    return { token: entry.string(), revision: entry.revision };
  }

  async write(key: string, token: string, revision: number): Promise<number | null> {
    try {
      if (revision === 0) return await this.bucket.create(key, token);
      return await this.bucket.update(key, token, revision);
    } catch (error) {
      if (error instanceof JetStreamApiError && WRONG_REVISION.has(error.code)) return null;
      throw error;
    }
  }
}

const WRONG_REVISION: ReadonlySet<number> = new Set([
  JetStreamApiCodes.StreamWrongLastSequence,
  JetStreamApiCodes.StreamWrongLastSequenceUnknown,
]);
