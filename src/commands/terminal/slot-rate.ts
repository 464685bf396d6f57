/** Time over which the rate is measured. */
const WINDOW_MS = 10_000;
/** A shorter time gives no rate. */
const MEASURED_MS_MIN = 1_000;

/** Slots per second over the last seconds. */
export class SlotRate {
  private readonly samples: { readonly atMs: number; readonly slots: number }[] = [];

  /** Takes the number of slots so far; returns null until a second has passed. */
  measure(slots: number, atMs: number): number | null {
    this.samples.push({ atMs, slots });
    while ((this.samples[0]?.atMs ?? atMs) < atMs - WINDOW_MS) this.samples.shift();
    const first = this.samples[0] ?? { atMs, slots };
    const measuredMs = atMs - first.atMs;
    if (measuredMs < MEASURED_MS_MIN) return null;
    return Math.max(0, ((slots - first.slots) * 1_000) / measuredMs);
  }
}
