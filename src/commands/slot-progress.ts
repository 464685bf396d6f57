const LINE_STEP_MS = 1_000;

/** Progress of work on slots. */
export interface SlotProgress {
  readonly slotsDone: number;
  readonly slotsTotal: number;
  /** Additional text. */
  readonly detail: string;
}

/** Prints progress, at most one line per second. */
export class SlotProgressLines {
  private readonly write: (line: string) => void;
  private readonly nowMs: () => number;
  private readonly startedAtMs: number;
  private printedAtMs: number;

  constructor(write: (line: string) => void, nowMs: () => number = () => performance.now()) {
    this.write = write;
    this.nowMs = nowMs;
    this.startedAtMs = nowMs();
    this.printedAtMs = this.startedAtMs;
  }

  report({ slotsDone, slotsTotal, detail }: SlotProgress): void {
    const nowMs = this.nowMs();
    if (nowMs - this.printedAtMs < LINE_STEP_MS) return;
    this.printedAtMs = nowMs;
    const perSecond = (slotsDone * 1_000) / (nowMs - this.startedAtMs);
    const left =
      slotsDone === 0 ? '' : `, ${durationOf((slotsTotal - slotsDone) / perSecond)} left`;
    const rate = `${perSecond.toFixed(1)} slots/s`;
    this.write(`${slotsDone} of ${slotsTotal} slots, ${rate}${left}, ${detail}`);
  }
}

function durationOf(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
