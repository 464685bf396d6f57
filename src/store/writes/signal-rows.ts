import { EXIT_RULES, type Outcome, type Signal, TICKETS_USD } from '../../model/signal.ts';
import { encodeOutcome, encodeSignal } from '../codecs/signal-codec.ts';
import { type Cell, saturated128 } from '../sql/cell.ts';
import type { RowWriter } from './row-writer.ts';

export const signalRows: RowWriter<Signal> = {
  table: 'signals',
  key: ({ rowId }) => String(rowId),
  columns: {
    row_id: ({ rowId }) => rowId,
    slot: ({ slot }) => slot,
    created_at_ms: ({ createdAtMs }) => createdAtMs,
    model: ({ model }) => model,
    model_version: ({ version }) => version,
    mint: ({ mint }) => mint,
    pool: ({ pool }) => pool,
    name: ({ name }) => name,
    symbol: ({ symbol }) => symbol,
    age_ms: ({ ageMs }) => ageMs,
    market_cap_usd: ({ marketCapUsd }) => saturated128(marketCapUsd),
    liquidity_usd: ({ liquidityUsd }) => saturated128(liquidityUsd),
    record: encodeSignal,
  },
};

/** Keeps only the newest outcome of each signal. */
export const signalOutcomeRows: RowWriter<Outcome> = {
  table: 'signal_outcomes',
  key: ({ rowId }) => String(rowId),
  columns: {
    row_id: ({ rowId }) => rowId,
    slot: ({ slot }) => slot,
    is_final: ({ isFinal }) => isFinal,
    ath_market_cap_usd: ({ athMarketCapUsd }) => saturated128(athMarketCapUsd),
    drawdown_market_cap_usd: (outcome) => saturated128(outcome.maxDrawdownMarketCapUsd),
    roi_e9: ({ roiE9 }) => saturated128(roiE9),
    drawdown_e9: ({ maxDrawdownE9 }) => saturated128(maxDrawdownE9),
    ...Object.fromEntries(returnCells()),
    record: encodeOutcome,
  },
};

/** The columns with the return of each ticket by each exit rule, ordered by rule, then ticket. */
export const RETURN_COLUMNS: readonly string[] = returnCells().map(([column]) => column);

function returnCells(): (readonly [column: string, cell: (outcome: Outcome) => Cell])[] {
  return EXIT_RULES.flatMap((rule) =>
    TICKETS_USD.map((ticketUsd) => {
      const cell = ({ execution }: Outcome) => {
        const found = execution.returns[rule]?.find((each) => each.ticketUsd === ticketUsd);
        return found === undefined ? null : saturated128(found.returnE9);
      };
      return [`${rule}_${ticketUsd}_e9`, cell] as const;
    }),
  );
}
