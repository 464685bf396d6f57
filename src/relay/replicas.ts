import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { REPLICA_LIMITS, Replica, type ReplicaLimits } from './replica.ts';

export interface ReplicasOptions {
  /** Such as `http://fold-1:8080`, each of one replica. */
  readonly origins: readonly string[];
  readonly clock: Clock;
  readonly limits?: Partial<ReplicaLimits>;
  readonly probeEveryMs?: number;
  /** Called when a replica says something else of itself than before. */
  readonly onChange?: (replica: Replica) => void;
}

const PROBE_EVERY_MS = 500;

/** The replicas that a node knows, how each is, and the newest slot that its clients have seen. */
export class Replicas {
  readonly all: readonly Replica[];
  private readonly options: ReplicasOptions;
  private seen: number | null = null;
  private turn = 0;

  constructor(options: ReplicasOptions) {
    this.options = options;
    const limits = { ...REPLICA_LIMITS, ...options.limits };
    this.all = options.origins.map((origin) => new Replica(origin, limits));
  }

  /** The newest slot that an answer of this node was as of; null before the first. */
  get seenSlot(): number | null {
    return this.seen;
  }

  /** A client has been shown data as of this slot. */
  show(slot: number): void {
    if (slot > (this.seen ?? -1)) this.seen = slot;
  }

  /** Asks all how they are, again and again until the signal is aborted. */
  async watch(signal: AbortSignal): Promise<void> {
    const { clock, probeEveryMs = PROBE_EVERY_MS } = this.options;
    await Promise.all(
      this.all.map(async (replica) => {
        while (!signal.aborted) {
          await this.probe(replica);
          await clock.sleep(probeEveryMs, signal);
        }
      }),
    );
  }

  /** Asks each once. */
  async probeAll(): Promise<void> {
    await Promise.all(this.all.map((replica) => this.probe(replica)));
  }

  /**
   * The replica to ask next, other than those that were: of those that are ready the one with the
   * fewest open requests, in turns if there are several. Without a ready one, one that answers at
   * all. Null if there is none.
   */
  choose(tried: ReadonlySet<Replica> = NONE): Replica | null {
    for (const state of ['ready', 'unready'] as const) {
      const usable = this.all.filter(
        (replica) => replica.report.state === state && !tried.has(replica),
      );
      const found = this.leastBusy(usable);
      if (found !== null) return found;
    }
    return null;
  }

  /**
   * The same replica for the same text as long as that one can be asked, for what only one of them
   * has.
   */
  chooseFor(text: string, tried: ReadonlySet<Replica> = NONE): Replica | null {
    const weight = ({ origin }: Replica) =>
      createHash('sha256').update(`${origin} ${text}`).digest('hex');
    const [home] = this.all
      .filter((replica) => replica.report.state !== 'silent' && !tried.has(replica))
      .sort((one, other) => (weight(one) < weight(other) ? -1 : 1));
    return home ?? null;
  }

  /** Replicas beside one that can be asked. */
  others(replica: Replica): readonly Replica[] {
    return this.all.filter((other) => other !== replica && other.report.state !== 'silent');
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.close()));
  }

  private leastBusy(usable: readonly Replica[]): Replica | null {
    if (usable.length === 0) return null;
    const least = Math.min(...usable.map(({ inFlight }) => inFlight));
    const idle = usable.filter(({ inFlight }) => inFlight === least);
    this.turn = (this.turn + 1) % Number.MAX_SAFE_INTEGER;
    return idle[this.turn % idle.length] ?? null;
  }

  private async probe(replica: Replica): Promise<void> {
    const before = replica.report;
    const { state } = await replica.probe();
    if (state !== before.state) this.options.onChange?.(replica);
  }
}

const NONE: ReadonlySet<Replica> = new Set();
