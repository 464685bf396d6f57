import type { AddressIds } from '../lib/address-ids.ts';
import { PairIndex } from '../lib/pair-index.ts';
import { rowLayout } from '../lib/row-layout.ts';
import { RowTable } from '../lib/row-table.ts';
import { StateValue } from '../lib/state-value.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { CONTROL_MODEL, SIGNAL_MODELS, type SignalOrigin } from '../model/signal.ts';
import type { Address } from '../model/units.ts';
import { startOf } from './features/feature-windows.ts';

const HOUR_MS = 3_600_000;
const LAYOUT = rowLayout({ untilMs: 'f64' });
const { untilMs: UNTIL_MS } = LAYOUT.fields;
const ORIGINS: readonly SignalOrigin[] = [...SIGNAL_MODELS, CONTROL_MODEL];

/** Suppresses further signals of a model for a mint until the cool-down ends. */
export class CoolDowns {
  private readonly undo: UndoLog;
  private readonly ids: AddressIds<Address>;
  private readonly rows: RowTable;
  /** By model, as its position in `ORIGINS`, and id of the mint. */
  private readonly index: PairIndex;
  private readonly progress: StateValue<{ sweptHourMs: number }>;

  constructor(undo: UndoLog, ids: AddressIds<Address>) {
    this.undo = undo;
    this.ids = ids;
    this.rows = new RowTable(LAYOUT, undo, 'signal cool-downs');
    this.index = new PairIndex(undo, 'signal cool-downs index');
    this.progress = new StateValue({ sweptHourMs: 0 }, undo, 'signal cool-downs swept');
  }

  isCool(mint: Address, model: SignalOrigin, nowMs: number): boolean {
    const id = this.ids.find(mint);
    const row = id === -1 ? -1 : this.index.get(ORIGINS.indexOf(model), id);
    return row === -1 || nowMs >= this.rows.number(row, UNTIL_MS);
  }

  begin(mint: Address, model: SignalOrigin, untilMs: number): void {
    const origin = ORIGINS.indexOf(model);
    const id = this.ids.idOf(mint);
    const known = this.index.get(origin, id);
    const row = known === -1 ? this.rows.add() : known;
    if (known === -1) this.index.set(origin, id, row);
    this.rows.setNumber(row, UNTIL_MS, untilMs);
  }

  /** Drops cool-downs that have ended, once an hour. */
  dropExpired(nowMs: number): void {
    const progress = this.progress.now;
    const hourMs = startOf(nowMs, HOUR_MS);
    if (hourMs === progress.sweptHourMs) return;
    this.undo.keep(progress);
    progress.sweptHourMs = hourMs;
    for (const origin of ORIGINS.keys()) {
      const expired: [id: number, row: number][] = [];
      this.index.forEachOf(origin, (id, row) => {
        if (this.rows.number(row, UNTIL_MS) <= nowMs) expired.push([id, row]);
      });
      for (const [id, row] of expired) {
        this.index.delete(origin, id);
        this.rows.remove(row);
      }
    }
  }

  get size(): number {
    return this.rows.size;
  }
}
