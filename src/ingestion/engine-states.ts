import { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { PagePool } from '../lib/pages/page-pool.ts';
import type { PagePoolOptions } from '../lib/pages/page-pool-options.ts';
import type { CheckpointHead } from '../model/record-store.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import { asSlot, type Slot, slotBefore } from '../model/units.ts';
import type {
  LinkedState,
  OpenedState,
  StateFolders,
  StateRules,
} from '../store/checkpoints/state-folders.ts';
import { statePages } from '../store/checkpoints/state-pages.ts';
import type { Cursor } from '../store/control/cursor.ts';
import type { KnownLogStart } from '../store/log-start.ts';
import type { CheckpointPace } from './checkpoint-pace.ts';
import type { FoldStates, RestoredFold, StateUse } from './fold-states.ts';
import type { ChainEnd } from './slot-marks.ts';
import { StateCheckpoints, type StoredEngine } from './state-checkpoints.ts';
import { isDamage, isUnread, StateFailure } from './state-failure.ts';
import { areSameFold, decodeStateHead, encodeStateHead, stateRulesOf } from './state-head.ts';
import { canRead, isAnyDamaged } from './stored-records.ts';
import type { WaitingRecords } from './waiting-writes.ts';
import { WatchedPages } from './watched-pages.ts';

/** Dependencies of stored states. */
export interface StateSurroundings {
  readonly folders: Pick<
    StateFolders,
    | 'open'
    | 'create'
    | 'branch'
    | 'retain'
    | 'remove'
    | 'removeAfter'
    | 'linkPast'
    | 'createPast'
    | 'removePast'
  >;
  readonly log: {
    /** Throws StoreError. */
    find(slot: Slot): Promise<Pick<SlotFacts, 'blockhash'> | null>;
  };
  /** Where the log begins. Once old slots were dropped, the states cannot be computed again. */
  readonly logStart?: KnownLogStart;
  /** Inputs of the fold other than the log, as text. */
  readonly rules: string;
  readonly engine: Omit<EngineOptions, 'pages' | 'sums' | 'onClose'>;
  readonly memory: Omit<PagePoolOptions, 'store'>;
  /** How often states are stored, where it differs from production. */
  readonly pace?: Partial<CheckpointPace>;
}

/** What happens to states that cannot be used. */
interface PassingOver {
  /** Receives a sentence for each of them. */
  readonly onRefused: (sentence: string) => void;
  /** Whether an older one is used where the device does not read a newer one. */
  readonly isUnreadPassedOver: boolean;
}

/**
 * The states of folds. As long as the log is whole they only save time, since it yields the same.
 * Later they are the only ones: those of earlier decoders are continued then.
 */
export class EngineStates implements FoldStates {
  private readonly surroundings: StateSurroundings;
  private readonly rules: string;
  private readonly stored = new WeakMap<Engine, StoredEngine>();
  private readonly pagesOf = new WeakMap<Engine, WatchedPages>();
  private pastCount = 0;

  constructor(surroundings: StateSurroundings) {
    this.surroundings = surroundings;
    this.rules = stateRulesOf(surroundings.rules, new Engine(surroundings.engine));
  }

  /** An empty state for a fold from the first slot of the log. */
  create(fold: number): Engine {
    const { folders } = this.surroundings;
    return this.engineOf(folders.create(fold, this.rulesUpTo()), null);
  }

  /**
   * The newest state that the cursor and the log confirm; null if there is none. `onRefused`
   * receives a sentence for each checkpoint that is passed over.
   */
  async restore(
    { epoch, slot }: Pick<Cursor, 'epoch' | 'slot'>,
    onRefused: (sentence: string) => void,
    { isUnreadPassedOver } = { isUnreadPassedOver: true },
  ): Promise<RestoredFold | null> {
    const { folders } = this.surroundings;
    const open = (maxSlot: Slot) => {
      const opened = folders.open(epoch, this.rulesUpTo(maxSlot));
      // Later rounds pass over what was passed over, or reported, before.
      if (maxSlot === slot) for (const sentence of opened.passedOver) onRefused(sentence);
      return opened;
    };
    return this.newestConfirmed(slot, open, { onRefused, isUnreadPassedOver });
  }

  /**
   * The newest state of `fold` up to a slot, to fold on from under the number `target`, or to look
   * up rows in. Null if there is none.
   */
  async restoreAt(slot: Slot, fold: number, use: StateUse): Promise<RestoredFold | null> {
    const { folders } = this.surroundings;
    const open = (maxSlot: Slot) => folders.branch(fold, this.rulesUpTo(maxSlot), use);
    // Rows are those of one state: another would not do in the place of what the device fails to read.
    const isUnreadPassedOver = !use.isForRows;
    return this.newestConfirmed(slot, open, { onRefused: () => undefined, isUnreadPassedOver });
  }

  async linkPast(slot: Slot, fold: number): Promise<LinkedState | null> {
    const { folders } = this.surroundings;
    for (let maxSlot: number = slot; maxSlot >= 0; ) {
      const linked = folders.linkPast(fold, this.rulesUpTo(asSlot(maxSlot)), ++this.pastCount);
      if (linked === null || linked.checkpoint === null) return null;
      if (await this.isInLog(linked.checkpoint)) return linked;
      folders.removePast(linked.folder);
      maxSlot = linked.checkpoint.slot - 1;
    }
    return null;
  }

  createPast(): LinkedState {
    return this.surroundings.folders.createPast({ rules: this.rules }, ++this.pastCount);
  }

  removePast({ folder }: LinkedState): void {
    this.surroundings.folders.removePast(folder);
  }

  checkpointsOf(engine: Engine, report: (sentence: string) => void): StateCheckpoints | null {
    const stored = this.stored.get(engine);
    const { pace = {} } = this.surroundings;
    return stored === undefined ? null : new StateCheckpoints(this, stored, report, { pace });
  }

  recordsOf(engine: Engine): WaitingRecords | null {
    return this.stored.get(engine)?.records ?? null;
  }

  damageOf(engine: Engine): Error | null {
    return this.pagesOf.get(engine)?.damage ?? null;
  }

  async removeDamaged(fold: number, engine: Engine): Promise<readonly Slot[] | null> {
    const { folders, logStart } = this.surroundings;
    const damaged = this.pagesOf.get(engine)?.damaged ?? [];
    const affected: Slot[] = [];
    // A whole log yields them again.
    let mayRemove = (logStart?.slot ?? null) === null;
    for (let maxSlot: Slot | undefined; ; ) {
      const opened = folders.open(fold, this.rulesUpTo(maxSlot));
      const { checkpoint, records } = opened;
      const isAffected =
        damaged.length === 0 ? maxSlot === undefined : isAnyDamaged(records, damaged);
      if (isAffected || mayRemove) records.close();
      else mayRemove = await this.canReplace(opened);
      if (checkpoint === null) break;
      const { slot } = checkpoint;
      if (isAffected) affected.push(slot);
      const before = slotBefore(slot);
      if (before === null) break;
      maxSlot = before;
    }
    if (!mayRemove) return null;
    for (const slot of affected) await folders.remove(fold, slot);
    return affected;
  }

  async newestReadable(fold: number, engine: Engine, maxSlot: Slot): Promise<Slot | null> {
    const record = this.pagesOf.get(engine)?.unread ?? null;
    for (let upTo: Slot | null = maxSlot; upTo !== null; ) {
      const opened = this.surroundings.folders.open(fold, this.rulesUpTo(upTo));
      const { checkpoint, records } = opened;
      if (record !== null && !canRead(records, record)) records.close();
      else if ((await this.canBeUsed(opened)) === true) return checkpoint?.slot ?? null;
      if (checkpoint === null) break;
      upTo = slotBefore(checkpoint.slot);
    }
    return null;
  }

  /** Whether a state can replace others. Throws while the device does not read it. */
  private async canReplace(opened: OpenedState): Promise<boolean> {
    const canBeUsed = await this.canBeUsed(opened);
    if (canBeUsed instanceof Error) throw canBeUsed;
    return canBeUsed;
  }

  /** Whether a state can be folded on from, or the failure if the device did not read it; closes it. */
  private async canBeUsed(opened: OpenedState): Promise<boolean | Error> {
    const restored = await this.confirmed(opened, () => undefined);
    if (restored instanceof Error) return restored;
    restored?.engine.close();
    return restored !== null;
  }

  removeAfter(fold: number, slot: Slot | null): Promise<readonly Slot[]> {
    return this.surroundings.folders.removeAfter(fold, slot);
  }

  /** Removes the states of all folds but one. */
  retain(fold: number): void {
    this.surroundings.folders.retain(fold);
  }

  /** Describes a state to commit it. */
  headOf(
    { slot, blockhash, timeMs }: ChainEnd,
    sums: Uint32Array,
    olderSlots: number,
  ): CheckpointHead {
    const head = encodeStateHead({ sums, olderSlots });
    return { slot, blockhash, timeMs, rules: this.rules, head };
  }

  private rulesUpTo(maxSlot?: Slot): StateRules {
    const { rules } = this;
    const upTo = maxSlot === undefined ? { rules } : { rules, maxSlot };
    if ((this.surroundings.logStart?.slot ?? null) === null) return upTo;
    return { ...upTo, isEqual: (other) => areSameFold(rules, other), areNeeded: true };
  }

  /**
   * The newest state up to a slot that can be used, of those that `open` opens. Throws the first
   * failure of the device, if there is none because of it, or where states with one are not passed
   * over.
   */
  private async newestConfirmed(
    slot: Slot | null,
    open: (maxSlot: Slot) => OpenedState,
    { onRefused, isUnreadPassedOver }: PassingOver,
  ): Promise<RestoredFold | null> {
    let unread: Error | null = null;
    for (let maxSlot = slot; maxSlot !== null; ) {
      const opened = open(maxSlot);
      const restored = await this.confirmed(opened, onRefused);
      if (restored !== null && !(restored instanceof Error)) return restored;
      unread ??= restored ?? (opened.unread === null ? null : new StateFailure(opened.unread));
      if (opened.checkpoint === null || (unread !== null && !isUnreadPassedOver)) break;
      maxSlot = slotBefore(opened.checkpoint.slot);
    }
    if (unread !== null) throw unread;
    return null;
  }

  /** Null for a state that cannot be used; the failure if the device did not read it. */
  private async confirmed(
    opened: OpenedState,
    onRefused: (sentence: string) => void,
  ): Promise<RestoredFold | Error | null> {
    const { checkpoint, records } = opened;
    if (checkpoint === null) {
      records.close();
      return null;
    }
    const { slot, blockhash, timeMs } = checkpoint;
    if (!(await this.isInLog(checkpoint))) {
      records.close();
      onRefused(`The state after slot ${slot} is not used: the log has another slot ${slot}.`);
      return null;
    }
    const { sums, olderSlots } = decodeStateHead(checkpoint.head);
    try {
      const engine = this.engineOf(opened, sums);
      const end = { slot, blockhash, timeMs };
      const isOfOlder = checkpoint.rules !== this.rules;
      return { engine, end, olderSlots: isOfOlder ? engine.counters.slots : olderSlots };
    } catch (error) {
      records.close();
      if (!(error instanceof Error) || !(isDamage(error) || isUnread(error))) throw error;
      onRefused(`The state after slot ${slot} is not used: ${error.message}`);
      return isDamage(error) ? null : error;
    }
  }

  /** Whether the log has the block that a checkpoint ends with. */
  private async isInLog({ slot, blockhash }: CheckpointHead): Promise<boolean> {
    const stored = await this.surroundings.log.find(slot);
    return stored !== null && stored.blockhash === blockhash;
  }

  private engineOf({ records }: OpenedState, sums: Uint32Array | null): Engine {
    const { engine: options, memory } = this.surroundings;
    const store = new WatchedPages(statePages(records));
    const pages = new PagePool({ ...memory, store });
    const restored = sums === null ? {} : { sums };
    const onClose = () => records.close();
    const engine = new Engine({ ...options, ...restored, pages, onClose });
    this.stored.set(engine, { engine, pages, records });
    this.pagesOf.set(engine, store);
    return engine;
  }
}
