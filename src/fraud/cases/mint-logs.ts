import type { AddressIds } from '../../lib/address-ids.ts';
import type { Field } from '../../lib/row-layout.ts';
import type { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type {
  CaseLiquidity,
  CaseTrade,
  CaseTransfer,
  TransactionRef,
} from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { CaseBounds } from './case-bounds.ts';
import { LIQUIDITY_LAYOUT, LOCK_LAYOUT, TRADE_LAYOUT, TRANSFER_LAYOUT } from './case-rows.ts';
import { EntryLog } from './entry-log.ts';
import {
  type EntryRows,
  type EscrowLock,
  LiquidityRows,
  LockRows,
  TransferRows,
} from './entry-rows.ts';
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
  bounds: Pick<CaseBounds, keyof MintLogs>,
  undo: UndoLog,
): MintLogs & { readonly tradeRows: TradeRows } {
  const tradeRows = new TradeRows(ids, undo);
  const logOf = <Entry extends TransactionRef>(
    kind: keyof MintLogs,
    rows: EntryRows<Entry>,
    next: Field<'u32'>,
  ) =>
    new EntryLog(
      rows,
      { mints, field: MINT[kind] },
      { next, bound: bounds[kind], name: `${kind} of cases, lists` },
      undo,
    );
  return {
    tradeRows,
    trades: logOf('trades', tradeRows, TRADE_LAYOUT.fields.next),
    transfers: logOf('transfers', new TransferRows(ids, undo), TRANSFER_LAYOUT.fields.next),
    liquidity: logOf('liquidity', new LiquidityRows(ids, undo), LIQUIDITY_LAYOUT.fields.next),
    locks: logOf('locks', new LockRows(ids, undo), LOCK_LAYOUT.fields.next),
  };
}
