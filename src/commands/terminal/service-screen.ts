import type { SourceProgress } from '../../chain/source.ts';
import { lagOf } from '../../ingestion/chain-lag.ts';
import type { Ingestion } from '../../ingestion/ingestion.ts';
import { StatusLine } from '../../lib/terminal/status-line.ts';
import { type Terminal, terminalOf } from '../../lib/terminal/terminal.ts';
import { ProgressBar } from './progress-bar.ts';
import { SlotRate } from './slot-rate.ts';
import { statusParts } from './status-parts.ts';

/** Gaps are counted over the whole log. */
const GAPS_COUNTED_MS = 1_000;

/** What people see of a service at the bottom of a terminal, beside its log. */
export interface ServiceScreen {
  /** Number of slots of the stored log that were applied since the start. */
  readonly onApplied: (slots: number) => void;
  /** Shows the figures of a service from now on. `isMoving`: a chain is followed in real time. */
  readonly watch: (ingestion: Ingestion, isMoving: boolean) => void;
  /** Shows the progress of a replay; null where it belongs in the log. */
  readonly onProgress: ((progress: SourceProgress) => void) | null;
  /** Leaves the terminal as it was. */
  readonly close: () => void;
}

const NO_SCREEN: ServiceScreen = {
  onApplied: () => undefined,
  watch: () => undefined,
  onProgress: null,
  close: () => undefined,
};

/** The bottom of the terminal that standard error is; nothing if it is none. */
export function openServiceScreen(): ServiceScreen {
  const terminal = terminalOf(2);
  return terminal?.canRedraw === true ? screenOn(terminal) : NO_SCREEN;
}

function screenOn({ columns, style }: Terminal): ServiceScreen {
  const bar = new ProgressBar();
  let applied = 'starting';
  let figures: (() => readonly string[]) | null = null;
  const line = new StatusLine({
    write: (text) => process.stderr.write(text),
    columns,
    parts: () => bar.parts() ?? figures?.() ?? [applied],
  });
  const redraw = () => line.draw();
  const close = () => {
    process.off('SIGWINCH', redraw);
    process.off('exit', close);
    line.stop();
  };
  line.start();
  process.on('SIGWINCH', redraw);
  // An error ends the process before anybody closes the screen.
  process.on('exit', close);
  return {
    onApplied: (slots) => {
      applied = `applying the stored log: ${slots} slots`;
    },
    watch: (ingestion, isMoving) => {
      const read = figuresOf(ingestion, isMoving);
      figures = () => statusParts(read(), style);
    },
    onProgress: (progress) => bar.report(progress),
    close,
  };
}

function figuresOf(ingestion: Ingestion, isFollowing: boolean) {
  const rate = new SlotRate();
  let gaps = { atMs: Number.NEGATIVE_INFINITY, count: 0 };
  return () => {
    const nowMs = performance.now();
    if (nowMs - gaps.atMs >= GAPS_COUNTED_MS) {
      gaps = { atMs: nowMs, count: ingestion.gaps.length };
    }
    const { engine } = ingestion;
    const wallMs = Date.now();
    return {
      slot: engine.lastSlot,
      isFollowing,
      lagMs: lagOf(ingestion, { wallMs, steadyMs: wallMs }).lagMs,
      slotsPerSecond: rate.measure(engine.counters.slots, nowMs),
      gaps: gaps.count,
      memoryBytes: process.memoryUsage.rss(),
    };
  };
}
