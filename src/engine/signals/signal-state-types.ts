import type { FieldsOf, GraphClass, GraphRecord } from '../../lib/graph-types.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { TicketReturn } from '../../model/signal.ts';
import { CoolDowns } from '../../signals/cool-downs.ts';
import type { PoolDepth } from '../../signals/execution/fill.ts';
import type { Exit, Position } from '../../signals/execution/position.ts';
import {
  FeatureWindows,
  type PoolWindow,
  type StretchHigh,
} from '../../signals/features/feature-windows.ts';
import type { MinuteBar, SmartMove } from '../../signals/features/minute-bar.ts';
import type { SignalModel } from '../../signals/features/signal-model.ts';
import { type FollowedSignal, type OpenSignal, OutcomeBook } from '../../signals/outcomes.ts';
import { SignalBook } from '../../signals/signal-book.ts';
import { SignalWatch } from './signal-watch.ts';

/** Graph classes of the signal books. */
export function signalClassesOf(undo: UndoLog, models: readonly SignalModel[]): GraphClass[] {
  const kept = ['undo'];
  return [
    { name: 'SignalWatch', create: () => new SignalWatch(undo, models) },
    {
      name: 'SignalBook',
      create: () => new SignalBook(undo, models),
      kept: ['undo', 'models'],
    },
    { name: 'FeatureWindows', create: () => new FeatureWindows(undo), kept },
    { name: 'CoolDowns', create: () => new CoolDowns(undo), kept },
    { name: 'OutcomeBook', create: () => new OutcomeBook(undo), kept },
  ];
}

export const SIGNAL_RECORDS: readonly GraphRecord[] = [
  record<PoolWindow>('window of a pool', {
    bars: 'always',
    highs: 'always',
    firstMinuteMs: 'always',
  }),
  record<StretchHigh>('high of five minutes', { stretchMs: 'always', high: 'always' }),
  record<MinuteBar>('minute of a pool', {
    minuteMs: 'always',
    high: 'always',
    low: 'always',
    close: 'always',
    organicBuyUsd: 'always',
    organicSellUsd: 'always',
    volumeUsd: 'always',
    unvaluedTrades: 'always',
    quoteRaw: 'always',
    buyers: 'always',
    smart: 'always',
  }),
  record<SmartMove>('smart wallet in a minute', {
    wallet: 'always',
    boughtUsd: 'always',
    soldUsd: 'always',
    boughtBase: 'always',
    soldBase: 'always',
  }),
  record<OpenSignal>('open signal', {
    signal: 'always',
    highPriceUsd: 'always',
    lowPriceUsd: 'always',
    lowSinceUsd: 'always',
    peakUsd: 'always',
    troughUsd: 'always',
    fallE9: 'always',
    peakDrawdownE9: 'always',
    lastSwapMs: 'always',
    slot: 'always',
    isFinal: 'always',
    position: 'always',
  }),
  record<FollowedSignal>('followed signal', {
    rowId: 'always',
    model: 'always',
    mint: 'always',
    slot: 'always',
    createdAtMs: 'always',
    priceUsd: 'always',
    supplyRaw: 'always',
    decimals: 'always',
  }),
  record<Position>('position beside a signal', {
    createdAtMs: 'always',
    enteredAtMs: 'always',
    entryPrice: 'always',
    peakPrice: 'always',
    tokens: 'always',
    roseBeforeFell: 'always',
    depth: 'always',
    exits: 'always',
  }),
  record<Exit>('exit of a position', { rule: 'always', dueMs: 'always', returns: 'always' }),
  record<TicketReturn>('return of a ticket', { ticketUsd: 'always', returnE9: 'always' }),
  record<PoolDepth>('depth of a pool', {
    timeMs: 'always',
    priceUsd: 'always',
    base: 'always',
    quoteUsd: 'always',
    realBase: 'always',
    realQuoteUsd: 'always',
    feeBps: 'always',
    solUsd: 'always',
  }),
  { name: 'signals so far', fields: { signals: 'always' } },
  { name: 'sweep of cool-downs', fields: { sweptHourMs: 'always' } },
  { name: 'sweep of outcomes', fields: { sweptMs: 'always' } },
];

function record<Stored>(name: string, fields: FieldsOf<Stored>): GraphRecord {
  return { name, fields: fields as GraphRecord['fields'] };
}
