import type { GraphClass, GraphRecord } from '../../lib/graph-types.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { type AwaitedMint, EvaluationSchedule } from '../fraud/evaluation-schedule.ts';
import { FindingBook } from '../fraud/finding-book.ts';
import { FraudWatch } from '../fraud/fraud-watch.ts';
import { LinkedBuys } from '../fraud/linked-buys.ts';
import type { TrackedFinding } from '../fraud/tracked-finding.ts';
import { record } from './state-record.ts';

/** Graph classes of the fraud books. */
export function fraudClassesOf(undo: UndoLog): GraphClass[] {
  const kept = ['undo'];
  return [
    { name: 'FraudWatch', create: () => new FraudWatch(undo), kept },
    { name: 'EvaluationSchedule', create: () => new EvaluationSchedule(undo), kept },
    { name: 'FindingBook', create: () => new FindingBook(undo), kept },
    { name: 'LinkedBuys', create: () => new LinkedBuys(undo), kept },
  ];
}

export const FRAUD_RECORDS: readonly GraphRecord[] = [
  record<AwaitedMint>('awaited mint', {
    viewedSlot: 'always',
    viewedMs: 'always',
    viewedEntries: 'always',
    dueMs: 'always',
    soldRaw: 'always',
    updates: 'always',
    urgency: 'always',
    isWellFounded: 'always',
  }),
  record<TrackedFinding>('tracked finding', {
    id: 'always',
    mint: 'always',
    fraudType: 'always',
    decimals: 'always',
    createdMs: 'always',
    startSlot: 'always',
    clusterRoot: 'always',
    state: 'always',
    detectionSlot: 'always',
    publishedSlot: 'always',
    publishedMs: 'always',
    calibrationVersion: 'always',
    weakSinceMs: 'always',
    finding: 'always',
    confidence: 'always',
    roles: 'always',
    collected: 'always',
  }),
  { name: 'evaluations so far', fields: { evaluations: 'always' } },
  {
    name: 'turns of evaluations',
    fields: { routineFrom: 'always', urgencies: 'always', entries: 'always', trades: 'always' },
  },
  {
    name: 'turns of findings',
    fields: { orderFrom: 'always', lapsingFrom: 'always', tracked: 'always' },
  },
];
