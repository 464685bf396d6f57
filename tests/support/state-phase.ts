/** What a fold was doing when it used a file of its state. */
export type StatePhase =
  /** Pages and objects left memory. */
  | 'eviction'
  /** A checkpoint began. */
  | 'begin'
  /** A portion of a checkpoint was stored between two slots. */
  | 'portion'
  /** Something was stored as of a checkpoint because a slot was about to change it. */
  | 'change'
  /** A checkpoint was completed. */
  | 'commit'
  /** What is live in old files was moved. */
  | 'compaction'
  | 'other';

/** Functions by which a phase is known, the innermost first: portions of a commit are of the commit. */
const FUNCTIONS: readonly (readonly [name: string, StatePhase])[] = [
  ['CheckpointWriter.beforeChange', 'change'],
  ['PagePool.trim', 'eviction'],
  ['PagePool.beginCheckpoint', 'begin'],
  ['PagePool.writeSome', 'portion'],
  ['Compaction.compact', 'compaction'],
  ['FileRecordStore.begin', 'begin'],
  ['FileRecordStore.commit', 'commit'],
  ['FileRecordStore.publish', 'commit'],
];
const FRAMES_MAX = 60;

/** The phase of a fold whose code is running. */
export function statePhase(): StatePhase {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES_MAX;
  const stack = new Error('here').stack ?? '';
  Error.stackTraceLimit = limit;
  return FUNCTIONS.find(([name]) => stack.includes(name))?.[1] ?? 'other';
}
