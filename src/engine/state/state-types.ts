/**
 * Types of all objects in the state, as written to snapshots. A field added to one of the
 * interfaces does not compile until it is listed here. Any change here changes the snapshot layout:
 * snapshots with the old layout can no longer be read.
 */

import { NO_RANGES } from '../../fold/market/price-ranges.ts';
import { NO_METADATA } from '../../fold/market/token-metadata.ts';
import type { GraphRecord, GraphTypes } from '../../lib/graph-types.ts';
import type { ProgramOutcomes } from '../../model/slot-facts.ts';
import type { Books } from '../books/books.ts';
import { CASE_RECORDS, caseClassesOf } from '../cases/case-state-types.ts';
import { SIGNAL_RECORDS, signalClassesOf } from '../signals/signal-state-types.ts';
import { createCounters, type EngineCounters, type SlotLink } from './engine-counters.ts';
import type { EngineState, Progress, StateSurroundings } from './engine-state.ts';
import { FRAUD_RECORDS, fraudClassesOf } from './fraud-state-types.ts';
import { MARKET_RECORDS, marketClassesOf } from './market-state-types.ts';
import { record } from './state-record.ts';
import { WALLET_RECORDS, walletClassesOf } from './wallet-state-types.ts';

/** The graph types of a state whose books record their changes in `undo`. */
export function stateTypes({ fallbackSolUsd, undo, spill, models }: StateSurroundings): GraphTypes {
  return {
    classes: [
      ...marketClassesOf(fallbackSolUsd, undo),
      ...walletClassesOf(undo, spill),
      ...caseClassesOf(undo),
      ...fraudClassesOf(undo),
      ...signalClassesOf(undo, models),
    ],
    records: [
      ...ENGINE_RECORDS,
      ...MARKET_RECORDS,
      ...WALLET_RECORDS,
      ...CASE_RECORDS,
      ...FRAUD_RECORDS,
      ...SIGNAL_RECORDS,
    ],
    externals: [undo, NO_METADATA, NO_RANGES],
  };
}

const { events, problems } = createCounters();

const ENGINE_RECORDS: readonly GraphRecord[] = [
  record<EngineState & { readonly outcomes: unknown }>('state', {
    clock: 'always',
    books: 'always',
    walletBooks: 'always',
    cases: 'always',
    fraud: 'always',
    signals: 'always',
    minutes: 'always',
    counters: 'always',
    outcomes: 'always',
    progress: 'always',
  }),
  record<Books>('books', {
    solPrices: 'always',
    tokens: 'always',
    pools: 'always',
    prices: 'always',
    candles: 'always',
    holders: 'always',
    locks: 'always',
  }),
  record<Progress>('progress', { first: 'always', last: 'always', bundleDigest: 'always' }),
  record<SlotLink>('slot link', { slot: 'always', blockhash: 'always' }),
  record<Omit<EngineCounters, 'outcomes'>>('counters', {
    slots: 'always',
    unlinkedSlots: 'always',
    estimatedTimeSlots: 'always',
    unknownTimeSlots: 'always',
    transactions: 'always',
    failedTransactions: 'always',
    votes: 'always',
    quarantinedSwaps: 'always',
    bundledTransactions: 'always',
    events: 'always',
    problems: 'always',
    poolMovingTransactions: 'always',
    explainedTransactions: 'always',
    inferredPrograms: 'always',
  }),
  { name: 'events by kind', fields: allOf(events) },
  { name: 'problems by kind', fields: allOf(problems) },
  record<ProgramOutcomes>('outcomes of a program', {
    event: 'always',
    ignored: 'always',
    unknown: 'always',
    malformed: 'always',
    quarantined: 'always',
  }),
];

function allOf(counts: Readonly<Record<string, number>>): GraphRecord['fields'] {
  return Object.fromEntries(Object.keys(counts).map((key) => [key, 'always'] as const));
}
