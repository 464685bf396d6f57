import type { DatabaseSync } from 'node:sqlite';
import type { SourceItem } from '../../src/chain/source.ts';
import type { Vote } from '../../src/cluster/agreement.ts';
import type { IngestionHooks } from '../../src/ingestion/ingestion-run.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { asSlot } from '../../src/model/units.ts';
import { listeners } from '../../src/service/fold-listeners.ts';
import { ReplicaRebuilds } from '../../src/service/replica-rebuilds.ts';
import { ReplicaVotes } from '../../src/service/replica-votes.ts';
import { openControlPlane } from '../../src/store/control/control-plane.ts';
import { ReplicaRecordTable } from '../../src/store/control/replica-record.ts';
import { itemSource } from './item-source.ts';
import { StoredFold } from './stored-fold.ts';

const FINAL_LAG = 3;

/** A replica whose rows are in memory and whose checkpoints are files, and the votes of two others. */
export class ComparedReplica {
  readonly fold = new StoredFold();
  /** What two other replicas vote: the digest after each slot. */
  private readonly digests: ReadonlyMap<number, string>;
  readonly sentences: string[] = [];
  readonly hooks: IngestionHooks = {
    ...{ writeAfterMs: 0, refoldAfterMs: 0 },
    onStateProblem: (sentence) => this.sentences.push(sentence),
  };
  readonly control: DatabaseSync = openControlPlane(':memory:');
  /** Whether the others vote. */
  areOthersThere = true;
  rebuilds!: ReplicaRebuilds;
  votes!: ReplicaVotes;
  /** Its own votes. */
  readonly sent: Vote[] = [];
  private halted: string | null = null;

  constructor(digests: ReadonlyMap<number, string>) {
    this.digests = digests;
  }

  /** A new process on the folder. */
  async open(): Promise<void> {
    const ingestion = await this.fold.open();
    const onNotice = (sentence: string) => this.sentences.push(sentence);
    const record = new ReplicaRecordTable(this.control);
    this.rebuilds = new ReplicaRebuilds({ trust: ingestion.trust, record, onNotice });
    let nowMs = 0;
    this.votes = new ReplicaVotes({
      ...{ ingestion, rebuilds: this.rebuilds, name: 'own', rules: 'rules', onNotice },
      lateSeq: () => 0,
      send: (vote) => {
        this.sent.push(vote);
        for (const replica of this.areOthersThere ? ['a', 'b'] : []) {
          this.votes.hear({ ...vote, replica, digest: this.digests.get(vote.slot) ?? '' });
        }
      },
      onMinority: (sentence) => {
        this.sentences.push(sentence);
        this.halted = sentence;
      },
      // As if a slot came every 400 ms.
      steadyNow: () => {
        nowMs += 200;
        return nowMs;
      },
    });
    ingestion.listen(listeners([this.votes.listener]));
  }

  /** Follows what comes after its last final slot, as often as it computes its state again. */
  async follow(slots: readonly SlotFacts[]): Promise<void> {
    do {
      const failure = await this.rebuilds.run(this.hooks);
      if (failure !== null) this.sentences.push(failure);
      this.votes.restart();
      await this.readOnce(slots);
    } while (this.rebuilds.mustFollowAgain);
  }

  /** Until it is contradicted, without what follows then. */
  async readOnce(slots: readonly SlotFacts[]): Promise<void> {
    this.halted = null;
    const { finalSlot } = this.fold.ingestion.status;
    const next = slots.filter(({ slot }) => slot > (finalSlot ?? -1));
    await this.fold.ingestion.ingest(itemSource(this.items(next), false), this.hooks);
  }

  /** Ingests items as they are; ends with a contradiction that came meanwhile. */
  async ingest(items: AsyncIterable<SourceItem>): Promise<void> {
    this.halted = null;
    const all = async function* (this: ComparedReplica): AsyncGenerator<SourceItem> {
      yield* items;
      if (this.halted !== null) yield differs(this.halted);
    };
    await this.fold.ingestion.ingest(itemSource(all.call(this), false), this.hooks);
  }

  async restart(): Promise<void> {
    await this.fold.ingestion.close();
    await this.open();
  }

  get checkpoints(): readonly number[] {
    return this.fold
      .files('checkpoint-')
      .map((path) => Number(/checkpoint-(\d+)-/.exec(path)?.[1]));
  }

  private async *items(slots: readonly SlotFacts[]): AsyncGenerator<SourceItem> {
    for (const [index, each] of slots.entries()) {
      yield { kind: 'facts', facts: each };
      const final = slots[index - FINAL_LAG];
      if (final !== undefined) yield { kind: 'final', slot: final.slot };
      if (this.halted !== null) break;
    }
    const last = slots.at(-1);
    if (last !== undefined && this.halted === null) {
      yield { kind: 'final', slot: asSlot(last.slot) };
    }
    if (this.halted !== null) yield differs(this.halted);
  }
}

function differs(message: string): SourceItem {
  return {
    kind: 'problem',
    problem: { code: 'state-differs', origin: 'test', position: null, message },
  };
}
