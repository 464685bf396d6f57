import type { StoredPoint } from '../model/slot-range.ts';
import { assertWholeLog } from '../store/log-start.ts';
import type { IngestionParts } from './ingestion-parts.ts';
import type { IngestionHooks } from './ingestion-run.ts';
import type { LiveFold } from './live-fold.ts';

/**
 * The start of an ingestion: the newest stored state is opened, which takes milliseconds, and the
 * stored log after it is applied, which takes as long as the log is. Meanwhile the state can be
 * read; it is as of its last slot.
 */
export class LogCatchUp {
  private readonly parts: Pick<IngestionParts, 'store' | 'rules'>;
  private readonly live: LiveFold;
  private readonly waiting: (() => void)[] = [];
  private areRulesKept = true;
  private rowsEnd: StoredPoint | null = null;
  private isComplete = false;

  constructor(parts: Pick<IngestionParts, 'store' | 'rules'>, live: LiveFold) {
    this.parts = parts;
    this.live = live;
  }

  /** True once the state is that of the whole log. */
  get isDone(): boolean {
    return this.isComplete;
  }

  /** The end of the stored rows while the state is before it, null otherwise. */
  get storedAhead(): StoredPoint | null {
    const { rowsEnd } = this;
    if (this.isDone || rowsEnd === null) return null;
    const isBehind = (this.live.fold.engine.lastSlot ?? -1) < rowsEnd.slot;
    return isBehind ? rowsEnd : null;
  }

  /**
   * Opens the newest stored state that is one of these rules; it is empty if there is none, or if
   * the whole log must be folded again. Throws StoreError if that is not possible, because old slots
   * were dropped from the log.
   */
  async open(hooks: IngestionHooks): Promise<void> {
    this.live.state.follow(hooks);
    const { store, rules } = this.parts;
    const { cursor, log, logStart } = store;
    const { slot, isDirty, dirtyFrom = null } = cursor.read();
    this.areRulesKept = slot === null || cursor.readRules() === rules;
    if (slot === null) assertWholeLog(logStart, 'The control database does not know the log');
    if (!this.areRulesKept) assertWholeLog(logStart, rulesChanged(cursor.readRules(), rules));
    if (isDirty && dirtyFrom === null) {
      assertWholeLog(logStart, 'Stored rows, or what is known of them, were lost or damaged');
    }
    // Where any row may be missing or wrong, nothing is read before all are made again.
    if (!this.areRulesKept || (isDirty && dirtyFrom === null)) return;
    await this.live.openState();
    if (slot === null) return;
    const facts = await log.find(slot);
    this.rowsEnd = { slot, timeMs: facts?.blockTimeMs ?? null };
  }

  /**
   * Applies the log after the state, completing the work of an interrupted run. If aborted, the
   * next start does it.
   */
  async run(hooks: IngestionHooks): Promise<void> {
    if (this.isDone) return;
    const { areRulesKept, live } = this;
    const { store, rules } = this.parts;
    if (store.cursor.read().isDirty || !areRulesKept) {
      await live.refold(hooks, { isWhole: !areRulesKept });
    } else await live.foldLog(hooks);
    if (hooks.signal?.aborted === true) return;
    store.cursor.writeRules(rules);
    this.isComplete = true;
    for (const action of this.waiting.splice(0)) action();
  }

  /** Calls `action` when the state is that of the whole log, before anything else is applied. */
  onceDone(action: () => void): void {
    if (this.isDone) action();
    else this.waiting.push(action);
  }
}

function rulesChanged(before: string | null, now: string): string {
  return `The figures were computed by other rules (${before ?? 'unknown'}; now ${now})`;
}
