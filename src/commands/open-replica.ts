import type { NatsConnection } from '@nats-io/transport-node';
import type { FastifyBaseLogger } from 'fastify';
import type { AttachedReplica } from '../bridge/attach-api.ts';
import { ControlReplica } from '../cluster/control/control-replica.ts';
import { controlStreamOf } from '../cluster/control-stream.ts';
import { NatsDeliveries } from '../cluster/deliveries.ts';
import { Lease } from '../cluster/lease.ts';
import { NatsLeases } from '../cluster/nats-leases.ts';
import { OffchainLog } from '../cluster/offchain/offchain-log.ts';
import { offchainStreamOf } from '../cluster/offchain/offchain-stream-name.ts';
import { type HaltCode, StreamSource } from '../cluster/stream-source.ts';
import { NatsVotes } from '../cluster/vote-exchange.ts';
import type { Config } from '../config/config-settings.ts';
import type { IngestionHooks } from '../ingestion/ingestion-run.ts';
import { monotonicClock } from '../lib/clock.ts';
import { StoreError } from '../model/errors.ts';
import { LeasedSender } from '../service/alerts/leased-sender.ts';
import type { Service } from '../service/app.ts';
import { ReplicaRebuilds } from '../service/replica-rebuilds.ts';
import { ReplicaVotes } from '../service/replica-votes.ts';
import { type FollowedChain, finalPointOf } from './follow-chain.ts';
import { openSharedLog } from './open-step-log.ts';

type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;

/** What one replica does at a time, and what is logged when it is this one. */
interface LeasedWork {
  readonly key: string;
  readonly taken: string;
  readonly lost: string;
}

const LEASES = {
  deliveries: {
    key: 'deliveries',
    taken: 'this replica delivers webhooks',
    lost: 'another replica may deliver webhooks',
  },
  gathering: {
    key: 'gathering',
    taken: 'this replica gathers off-chain facts',
    lost: 'another replica may gather off-chain facts',
  },
  backups: {
    key: 'backups',
    taken: 'this replica stores backups',
    lost: 'another replica may store backups',
  },
} as const satisfies Readonly<Record<string, LeasedWork>>;

/** A replica's part in several machines. */
export class Replica {
  private readonly config: Config;
  private readonly logger: Logger;
  private readonly signal: AbortSignal;
  private readonly shared: ReturnType<typeof openSharedLog>;
  private connection: NatsConnection | null = null;
  private exchange: NatsVotes | null = null;
  private source: StreamSource | null = null;
  private control: ControlReplica | null = null;
  private compared: { readonly votes: ReplicaVotes; readonly rebuilds: ReplicaRebuilds } | null =
    null;
  private readonly leasing: Promise<void>[] = [];
  private backups: Promise<Lease> | null = null;
  private controlling: Promise<void> = Promise.resolve();
  private gathering: Promise<unknown> = Promise.resolve();
  private offchain: OffchainLog | null = null;
  /** Why no step may be applied, which may be known before the stream is read. */
  private halted: { readonly sentence: string; readonly code: HaltCode } | null = null;

  /** Connects in the background: the stored state is served meanwhile. */
  constructor(config: Config, logger: Logger, signal: AbortSignal) {
    this.config = config;
    this.logger = logger;
    this.signal = signal;
    this.shared = openSharedLog(config, logger, signal);
    // Reported by whoever reads the source.
    this.shared.catch(() => undefined);
  }

  /** Begins to compare the state of a service with those of other replicas. */
  open(service: Service): AttachedReplica {
    const { votes, rebuilds } = this.compareStates(service);
    const { listener } = votes;
    const control = this.openControl(service.store);
    let lease: Lease | null = null;
    const source = () => this.source;
    return {
      listener,
      control: {
        write: (rows, work) => control.write(rows, work),
        follow: (apply) => control.follow(apply),
        listener: {
          onApplied: () => control.reach(this.source?.controlSeq ?? 0),
          settle: () => control.settle(),
        },
        get status() {
          return control.status;
        },
      },
      share: (sender) => {
        const leased = new LeasedSender(sender);
        void this.shareDeliveries(leased).then(
          (opened) => {
            lease = opened;
          },
          (error: unknown) => this.logger.error({ err: error }, 'webhooks cannot be sent'),
        );
        return leased;
      },
      get status() {
        return votes.status;
      },
      get cost() {
        return votes.cost;
      },
      get rebuilds() {
        return rebuilds.total;
      },
      get step() {
        return source()?.step ?? null;
      },
      get appliedStep() {
        return source()?.appliedStep ?? null;
      },
      get isDelivering() {
        return lease?.isHeld === true;
      },
      offchain: () => this.offchain,
    };
  }

  /** Exchanges votes on states with the other replicas, and what follows from them. */
  private compareStates({ ingestion, foldVersion: rules, store }: Service) {
    const { logger } = this;
    const onNotice = (sentence: string) => logger.warn(sentence);
    const rebuilds = new ReplicaRebuilds({
      trust: ingestion.trust,
      record: store.replica,
      onNotice,
    });
    const votes = new ReplicaVotes({
      ...{ ingestion, rebuilds },
      name: this.config.replicaName,
      rules,
      lateSeq: () => this.source?.lateSeq ?? 0,
      send: (vote) => this.exchange?.send(vote),
      onMinority: (sentence) => {
        logger.error(sentence);
        this.source?.halt(sentence);
      },
      onNotice: (sentence) => logger.warn(votes.status, sentence),
      steadyNow: monotonicClock.nowMs,
    });
    this.compared = { votes, rebuilds };
    this.shared.then(
      ({ connection }) => {
        this.connection = connection;
        this.exchange = new NatsVotes(connection, this.config.natsStream);
        // Its own are known: one that comes late would be of a state that was computed again since.
        this.exchange.listen((vote) => {
          if (vote.replica !== this.config.replicaName) votes.hear(vote);
        });
      },
      () => undefined,
    );
    return this.compared;
  }

  /** Follows and makes the changes of the tables that all replicas have. */
  private openControl({ shared: tables }: Service['store']): ControlReplica {
    const { config, signal } = this;
    const control = new ControlReplica({
      log: this.shared.then((shared) => shared.control),
      tables,
      name: controlStreamOf(config.natsStream),
      writer: config.replicaName,
      clock: monotonicClock,
      onStopped: (sentence) => this.halt(sentence),
      signal,
    });
    this.control = control;
    this.controlling = control.run().catch((error: unknown) => {
      if (!signal.aborted) this.halt(`The changes of keys and rules end: ${reasonOf(error)}.`);
    });
    return control;
  }

  /** What is shared with other replicas cannot be followed, so that nothing is. */
  private halt(sentence: string): void {
    this.logger.error(sentence);
    this.halted ??= { sentence, code: 'log-unreadable' };
    this.source?.halt(sentence, 'log-unreadable');
  }

  /** Follows what one of the replicas gathers, and is that one while this process has the lease. */
  openOffchain(): OffchainLog {
    const { config, logger, signal } = this;
    let lease: Lease | null = null;
    const offchain = new OffchainLog({
      log: this.shared.then((shared) => shared.offchain),
      name: offchainStreamOf(config.natsStream),
      writer: config.replicaName,
      lease: () => lease,
      clock: monotonicClock,
      signal,
      onNotice: (sentence) => logger.warn(sentence),
      onStopped: (sentence) => logger.error(sentence),
    });
    this.offchain = offchain;
    const competing = async () => {
      if (config.offchain !== 'follow') lease = await this.holdLease(LEASES.gathering);
    };
    this.gathering = Promise.all([competing(), offchain.run()]).catch((error: unknown) =>
      logger.error({ err: error }, 'off-chain facts cannot be shared'),
    );
    return offchain;
  }

  /**
   * Whether this replica holds the lease of backups, and its state is not contradicted. The others
   * of the stream have the same data.
   */
  async mayStoreBackup(): Promise<boolean> {
    this.backups ??= this.holdLease(LEASES.backups);
    // Why there is no connection is reported by whoever reads the source.
    const lease = await this.backups.catch(() => null);
    return (await lease?.confirm()) === true;
  }

  /**
   * All replicas of a stream have the same webhooks. One that gathers delivers none, and hears what
   * others delivered: otherwise whoever goes on with its data would deliver all of it again.
   */
  private async shareDeliveries(sender: LeasedSender): Promise<Lease | null> {
    const { connection } = await this.shared;
    const isDelivering = this.config.role !== 'gather';
    const lease = isDelivering
      ? await this.holdLease(LEASES.deliveries, () => sender.took())
      : null;
    const deliveries = new NatsDeliveries(connection, this.config.natsStream, 'shared');
    sender.join({ lease, deliveries });
    return lease;
  }

  /** Competes for a lease until the end. */
  private async holdLease(
    { key, taken, lost }: LeasedWork,
    onTaken: () => void = () => undefined,
  ): Promise<Lease> {
    const { natsStream, natsReplicas } = this.config;
    const { connection } = await this.shared;
    const store = await NatsLeases.open(connection, natsStream, natsReplicas);
    // Nothing may follow from a state that is not trusted, and another may have the lease.
    const isWanted = () => this.compared?.rebuilds.standing.contradictedSlot === null;
    const onChange = (isHeld: boolean) => {
      this.logger.info(isHeld ? taken : lost);
      if (isHeld) onTaken();
    };
    const lease = new Lease({ store, key, clock: monotonicClock, isWanted, onChange });
    this.leasing.push(lease.run(this.signal));
    return lease;
  }

  /**
   * The stream as a chain to follow, from where the data folder ends. The state is computed again
   * before, if most other replicas have another one.
   */
  async follow({ store, ingestion }: Service, hooks: IngestionHooks): Promise<FollowedChain> {
    const failure = (await this.compared?.rebuilds.run(hooks)) ?? null;
    if (failure !== null) {
      this.logger.error(failure);
      this.halted ??= { sentence: failure, code: 'state-differs' };
    }
    this.compared?.votes.restart();
    const { finalSlot } = ingestion.status;
    const final = finalSlot === null ? null : await finalPointOf(store, finalSlot);
    if (finalSlot !== null && final === null) throw new StoreError(withoutHash(finalSlot));
    const log = this.shared.then((shared) => shared.log);
    const { natsStream: name } = this.config;
    const { signal } = this;
    this.source = new StreamSource({
      ...{ log, name, final, clock: monotonicClock, signal },
      hasControl: (seq) => this.control?.has(seq) ?? Promise.resolve(true),
    });
    if (this.halted !== null) this.source.halt(this.halted.sentence, this.halted.code);
    return { source: this.source, observer: null };
  }

  /** The stream again, where its reading ended because other replicas contradict the state. */
  async resume(service: Service, hooks: IngestionHooks): Promise<FollowedChain | null> {
    return this.compared?.rebuilds.mustFollowAgain === true ? this.follow(service, hooks) : null;
  }

  async close(): Promise<void> {
    await Promise.all([...this.leasing, this.controlling, this.gathering]);
    await this.connection?.close();
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function withoutHash(slot: number): string {
  return `Slot ${slot}, the last of the data folder, was recorded without its hash, so that it cannot be found in the stream: use a folder that a chain was followed into.`;
}
