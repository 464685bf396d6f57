/** What the blocks of a simulated market follow from: the same give the same blocks on any machine. */
export interface SimulationOrigin {
  readonly seed: string;
  /** Chain time before the first slot. */
  readonly startMs: number;
}
