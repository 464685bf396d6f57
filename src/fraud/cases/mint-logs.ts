import type { AddressIds } from '../../lib/address-ids.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { CaseLiquidity, CaseTrade, CaseTransfer } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseBounds } from './case-bounds.ts';
import { LIQUIDITY_LAYOUT, LOCK_LAYOUT, TRADE_LAYOUT, TRANSFER_LAYOUT } from './case-rows.ts';
import { EntryLog } from './entry-log.ts';
import { type EscrowLock, LiquidityRows, LockRows, TransferRows } from './entry-rows.ts';
import { MINT_LAYOUT } from './mint-row.ts';
import { TradeRows } from './trade-rows.ts';

const MINT = MINT_LAYOUT.fields;

/** The logs of mints, by kind of entry. */
export interface MintLogs {
  readonly trades: EntryLog<CaseTrade>;
  readonly transfers: EntryLog<CaseTransfer>;
  readonly liquidity: EntryLog<CaseLiquidity>;
  readonly locks: EntryLog<EscrowLock>;
}

/** Creates empty logs for mints in rows of MINT_LAYOUT, and the rows of the trade log. */
export function createMintLogs(
  mints: RowTable,
  ids: AddressIds<Address>,
  bounds: Pick<CaseBounds, 'trades' | 'transfers' | 'liquidity' | 'locks'>,
  undo: UndoLog,
): MintLogs & { readonly tradeRows: TradeRows } {
  const tradeRows = new TradeRows(ids, undo);
  return {
    tradeRows,
    trades: new EntryLog(
      tradeRows,
      { mints, field: MINT.trades },
      { next: TRADE_LAYOUT.fields.next, bound: bounds.trades },
      undo,
    ),
    transfers: new EntryLog(
      new TransferRows(ids, undo),
      { mints, field: MINT.transfers },
      { next: TRANSFER_LAYOUT.fields.next, bound: bounds.transfers },
      undo,
    ),
    liquidity: new EntryLog(
      new LiquidityRows(ids, undo),
      { mints, field: MINT.liquidity },
      { next: LIQUIDITY_LAYOUT.fields.next, bound: bounds.liquidity },
      undo,
    ),
    locks: new EntryLog(
      new LockRows(ids, undo),
      { mints, field: MINT.locks },
      { next: LOCK_LAYOUT.fields.next, bound: bounds.locks },
      undo,
    ),
  };
}
