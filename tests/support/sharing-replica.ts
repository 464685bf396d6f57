import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Lease } from '../../src/cluster/lease.ts';
import { OffchainLog } from '../../src/cluster/offchain/offchain-log.ts';
import type { StepLog } from '../../src/cluster/step-log.ts';
import { GatheringThread } from '../../src/gathering/gathering-thread.ts';
import type { TokenUpdate, TrackingUpdate } from '../../src/gathering/messages.ts';
import { monotonicClock } from '../../src/lib/clock.ts';
import { StoreError } from '../../src/model/errors.ts';
import type { OffchainFacts } from '../../src/model/off-chain.ts';
import type { PostEvent } from '../../src/model/social-post.ts';
import { type Address, asSlot } from '../../src/model/units.ts';
import { dataFolderAt } from '../../src/store/data-folder.ts';
import { openOffchainPlane, openOffchainReader } from '../../src/store/offchain/offchain-plane.ts';
import { OffchainReader } from '../../src/store/offchain/offchain-reader.ts';
import { openInbox } from '../../src/store/offchain/posts-inbox.ts';
import { SHARED_TABLES } from '../../src/store/offchain/shared-changes.ts';

export interface SharingReplicaOptions {
  readonly dataDir: string;
  readonly name: string;
  readonly log: StepLog;
  readonly lease: () => Pick<Lease, 'isHeld' | 'confirm'> | null;
  /** What the fold of the replica knows. */
  readonly tokens: readonly TokenUpdate[];
  readonly tracked?: readonly TrackingUpdate[];
  /** Ports on this machine that stand for the internet. */
  readonly ports: readonly number[];
}

/** The part of a replica that gathers and stores off-chain data, without fold and API. */
export class SharingReplica {
  readonly offchain: OffchainLog;
  readonly notices: string[] = [];
  readonly stopped: string[] = [];
  readonly lost: string[] = [];
  private readonly options: SharingReplicaOptions;
  private readonly thread: GatheringThread;
  private readonly ending = new AbortController();
  private readonly running: Promise<void>;

  constructor(options: SharingReplicaOptions) {
    this.options = options;
    const { dataDir, name, log, lease, ports } = options;
    openOffchainPlane(this.file).close();
    this.offchain = new OffchainLog({
      ...{ log, lease, writer: name, name: 'test-offchain', clock: monotonicClock, retryMs: 20 },
      signal: this.ending.signal,
      onNotice: (sentence) => this.notices.push(sentence),
      onStopped: (sentence) => this.stopped.push(sentence),
    });
    this.thread = new GatheringThread({
      settings: {
        ...{ dataDir, logLevel: 'silent', ipfsGateways: [], arweaveGateways: [] },
        requestsPerSecond: 1_000,
        allowedPrivate: ports.map((port) => `127.0.0.1:${port}`),
      },
      stream: this.offchain,
      onReady: () => this.feed(options.tokens, options.tracked ?? []),
      onTaken: () => undefined,
      onLost: (reason) => this.lost.push(reason),
      onUnread: () => undefined,
      restartFirstMs: 10,
    });
    this.running = this.offchain.run();
  }

  /** As the fold does, once tokens are final. */
  feed(tokens: readonly TokenUpdate[], tracked: readonly TrackingUpdate[] = []): void {
    const reached = { epoch: 1, slot: asSlot(1) };
    this.thread.send({ kind: 'tokens', number: 1, tokens, tracked, reached });
  }

  private get file(): string {
    return dataFolderAt(this.options.dataDir).offchainFile;
  }

  /** Reads the store beside the thread. */
  read<Result>(work: (database: DatabaseSync) => Result): Result {
    const database = openOffchainReader(this.file);
    try {
      return work(database);
    } finally {
      database.close();
    }
  }

  factsOf(mint: Address): OffchainFacts {
    return this.read((database) => new OffchainReader(database).factsOf(mint));
  }

  /** As the API does for a client; false while the thread writes, which waits for this one. */
  put(events: readonly PostEvent[]): boolean {
    const { inbox, close } = openInbox(this.file);
    try {
      return inbox.put(events);
    } catch (error) {
      if (error instanceof StoreError && error.isTransient) return false;
      throw error;
    } finally {
      close();
    }
  }

  /** Posts of clients that wait here. */
  waitingPosts(): unknown[] {
    return this.read((database) => database.prepare('SELECT * FROM social_inbox').all());
  }

  rows(): Record<string, unknown[]> {
    return sharedRowsIn(this.options.dataDir);
  }

  async close(): Promise<void> {
    this.ending.abort();
    await this.running;
    await this.thread.close(5_000);
  }
}

/** All shared rows of a data folder; of jobs, whose running is local, those that are over. */
export function sharedRowsIn(dataDir: string): Record<string, unknown[]> {
  const { offchainFile } = dataFolderAt(dataDir);
  if (!existsSync(offchainFile)) return {};
  const database = openOffchainReader(offchainFile);
  try {
    // One state of all tables.
    database.exec('BEGIN');
    const rowsOf = (table: string) => {
      const rest = table === 'jobs' ? "WHERE state IN ('done', 'dead')" : '';
      return database.prepare(`SELECT * FROM ${table} ${rest} ORDER BY 1, 2`).all();
    };
    return Object.fromEntries(SHARED_TABLES.map((table) => [table, rowsOf(table)]));
  } finally {
    database.close();
  }
}
