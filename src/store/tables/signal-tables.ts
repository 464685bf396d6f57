import {
  EXIT_RULES,
  type Outcome,
  type Signal,
  type SignalOrigin,
  TICKETS_USD,
} from '../../model/signal.ts';
import type { OutcomeListing } from '../../model/signal-listing.ts';
import { type Address, asUsdNano } from '../../model/units.ts';
import {
  decodeOutcome,
  decodeSignal,
  encodeOutcome,
  encodeSignal,
} from '../codecs/signal-codec.ts';
import {
  encoded,
  flag,
  numeric,
  orNull,
  saturated128,
  slot,
  text,
  type WrittenColumns,
} from '../sql/columns.ts';
import { columnsOfRecord, computed, describeTable, wholeWithCopies } from '../sql/table.ts';

const rowId = numeric('row_id');
const percentE9 = (value: bigint) => value;

/** The fields of a signal in lists. */
export const signalListing = columnsOfRecord({
  rowId,
  createdAtMs: numeric('created_at_ms'),
  model: text<SignalOrigin>('model'),
  version: numeric('model_version'),
  mint: text<Address>('mint'),
  pool: text<Address>('pool'),
  name: orNull(text('name')),
  symbol: orNull(text('symbol')),
  marketCapUsd: saturated128('market_cap_usd', asUsdNano),
  liquidityUsd: saturated128('liquidity_usd', asUsdNano),
});

export const signalTable = describeTable({
  name: 'signals',
  key: (signal: Signal) => String(signal.rowId),
  columns: wholeWithCopies<Signal>(
    encoded('record', encodeSignal, decodeSignal),
    signalListing,
    columnsOfRecord({ slot: slot('slot'), ageMs: orNull(numeric('age_ms')) }),
  ),
});

/** The fields of an outcome in lists, and the number of its signal. */
export const outcomeListing = columnsOfRecord<OutcomeListing & Pick<Outcome, 'rowId'>>({
  rowId,
  slot: slot('slot'),
  athMarketCapUsd: saturated128('ath_market_cap_usd', asUsdNano),
  maxDrawdownMarketCapUsd: saturated128('drawdown_market_cap_usd', asUsdNano),
  roiE9: saturated128('roi_e9', percentE9),
  maxDrawdownE9: saturated128('drawdown_e9', percentE9),
});

/** The return of each ticket by each exit rule, ordered by rule, then ticket. */
const returns: readonly WrittenColumns<Outcome>[] = EXIT_RULES.flatMap((rule) =>
  TICKETS_USD.map((ticketUsd) =>
    computed(orNull(saturated128(`${rule}_${ticketUsd}_e9`, percentE9)), ({ execution }) => {
      const found = execution.returns[rule]?.find((each) => each.ticketUsd === ticketUsd);
      return found?.returnE9 ?? null;
    }),
  ),
);

export const RETURN_COLUMNS: readonly string[] = returns.flatMap(({ names }) => names);

/** Keeps only the newest outcome of each signal. */
export const signalOutcomeTable = describeTable({
  name: 'signal_outcomes',
  key: (outcome: Outcome) => String(outcome.rowId),
  columns: wholeWithCopies<Outcome>(
    encoded('record', encodeOutcome, decodeOutcome),
    outcomeListing,
    columnsOfRecord({ isFinal: flag('is_final') }),
    ...returns,
  ),
});
