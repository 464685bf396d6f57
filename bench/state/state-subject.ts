import { join } from 'node:path';
import { Engine } from '../../src/engine/engine.ts';
import { EngineStates } from '../../src/ingestion/engine-states.ts';
import type { StateCheckpoints } from '../../src/ingestion/state-checkpoints.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { type Address, asPriceE18, asSlot, SLOT_MAX } from '../../src/model/units.ts';
import { stateMemoryOf } from '../../src/service/state-memory.ts';
import { StateFolders } from '../../src/store/checkpoints/state-folders.ts';
import { blockhashOf } from './growing-market.ts';

/** What a run measures: slots are applied to it, one after another. */
export interface StateSubject {
  readonly engine: Engine;
  /** Applies a slot as final. */
  apply(facts: SlotFacts): Promise<void>;
}

export interface SubjectOptions {
  /** Bound of the state in memory, in bytes. */
  readonly stateMemoryBytes: number;
  readonly folder: string;
}

/** SOL/USD before the market has traded it. */
const FALLBACK_SOL_USD = asPriceE18(150n * 10n ** 18n);
/** All slots belong to one fold. */
const FOLD = 1;

/** An engine with all of its state in memory, which starts from nothing. */
export class UnboundedSubject implements StateSubject {
  readonly engine = new Engine({ fallbackSolUsd: FALLBACK_SOL_USD });

  async apply(facts: SlotFacts): Promise<void> {
    this.engine.apply(facts);
  }
}

/** An engine whose state is stored and evicted as that of the service. */
export class StoredSubject implements StateSubject {
  readonly engine: Engine;
  /** The pool of the last swap. */
  lastPool: Address | null = null;
  private readonly checkpoints: StateCheckpoints;

  private constructor(states: EngineStates, engine: Engine) {
    const checkpoints = states.checkpointsOf(engine, (sentence) => console.log(sentence));
    if (checkpoints === null) throw new Error('the state is not stored');
    this.engine = engine;
    this.checkpoints = checkpoints;
  }

  /** Continues from the newest checkpoint in the folder, if there is one. */
  static async open({ stateMemoryBytes, folder }: SubjectOptions): Promise<StoredSubject> {
    const states = new EngineStates({
      folders: new StateFolders(join(folder, 'state')),
      log: { find: async (slot) => ({ blockhash: blockhashOf(slot) }) },
      rules: 'bench:state',
      engine: { fallbackSolUsd: FALLBACK_SOL_USD },
      memory: stateMemoryOf(stateMemoryBytes),
    });
    const newest = { epoch: FOLD, slot: asSlot(SLOT_MAX) };
    const restored = await states.restore(newest, (sentence) => console.log(sentence));
    return new StoredSubject(states, restored?.engine ?? states.create(FOLD));
  }

  /** Applies a slot as final, and continues with a checkpoint when one is due. */
  async apply(facts: SlotFacts): Promise<void> {
    const { engine } = this;
    engine.apply(facts);
    this.lastPool = lastPoolOf(facts) ?? this.lastPool;
    const { slot, blockhash } = facts;
    await this.checkpoints.step({
      fold: {
        end: { slot, blockhash, timeMs: engine.timeMs },
        finalSlot: slot,
        digest: () => null,
      },
      cursor: { slot, isDirty: false },
      olderSlots: 0,
    });
  }

  /** Drops what is in memory and a checkpoint that is being written, as if killed. */
  async kill(): Promise<void> {
    this.checkpoints.abort();
    await this.checkpoints.settled();
    this.engine.close();
  }
}

function lastPoolOf({ transactions }: SlotFacts): Address | null {
  for (const { events } of transactions.toReversed()) {
    for (const event of events) if (event.kind === 'swap') return event.pool;
  }
  return null;
}
