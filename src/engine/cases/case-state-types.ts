import { AgeQueue, type QueueEnds, type QueueFields } from '../../fraud/cases/age-queue.ts';
import { AgedRows } from '../../fraud/cases/aged-rows.ts';
import { BoundedLogs, LOG_LAYOUT, type LogBound } from '../../fraud/cases/bounded-logs.ts';
import { CaseBook } from '../../fraud/cases/case-book.ts';
import {
  CASE_BOUNDS,
  type CaseBounds,
  type CaseCounts,
  noCounts,
} from '../../fraud/cases/case-bounds.ts';
import {
  COSIGNER_LAYOUT,
  LIQUIDITY_LAYOUT,
  LOCK_LAYOUT,
  PAYMENT_LAYOUT,
  TRADE_LAYOUT,
  TRANSFER_LAYOUT,
} from '../../fraud/cases/case-rows.ts';
import { EntryLog, type LogHead } from '../../fraud/cases/entry-log.ts';
import { LiquidityRows, LockRows, TransferRows } from '../../fraud/cases/entry-rows.ts';
import { CREATOR_LAYOUT, LAUNCH_LAYOUT, LaunchBook } from '../../fraud/cases/launch-book.ts';
import { LaunchSnipes, SNIPE_LAYOUT } from '../../fraud/cases/launch-snipes.ts';
import { MINT_LAYOUT } from '../../fraud/cases/mint-row.ts';
import { PaymentLogs } from '../../fraud/cases/payment-logs.ts';
import { WALLET_LAYOUT } from '../../fraud/cases/payment-wallet.ts';
import { FEE_LAYOUT, PoolFees } from '../../fraud/cases/pool-fees.ts';
import { TradeRows } from '../../fraud/cases/trade-rows.ts';
import { TRAIL_LAYOUT, TradeTrails } from '../../fraud/cases/trade-trails.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import type { FieldsOf, GraphClass, GraphRecord } from '../../lib/graph-types.ts';
import { type Field, layoutRecord } from '../../lib/row-layout.ts';
import { RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address } from '../../model/units.ts';
import type { CaseBooks } from './case-books.ts';

/** Graph classes of the case books. Snapshots include the links and bounds of rows. */
export function caseClassesOf(undo: UndoLog): GraphClass[] {
  const kept = ['undo'];
  const ids = () => new AddressIds<Address>(undo);
  const transfers = () => new TransferRows(ids(), undo);
  const mints = () => new RowTable(MINT_LAYOUT, undo);
  const { trades: bound } = CASE_BOUNDS;
  const log = () => ({ next: TRANSFER_LAYOUT.fields.next, bound });
  return [
    { name: 'CaseBook', create: () => new CaseBook(ids(), undo), kept },
    {
      name: 'EntryLog',
      create: () => {
        const head = { mints: mints(), field: MINT_LAYOUT.fields.transfers };
        return new EntryLog(transfers(), head, log(), undo);
      },
    },
    {
      name: 'BoundedLogs',
      create: () => new BoundedLogs(transfers().table, TRANSFER_LAYOUT.fields.next, bound, undo),
    },
    { name: 'AgeQueue', create: () => new AgeQueue(mints(), MINT_LAYOUT.fields, undo), kept },
    { name: 'AgedRows', create: () => new AgedRows(FEE_LAYOUT, 1, undo) },
    { name: 'TradeRows', create: () => new TradeRows(ids(), undo) },
    { name: 'TransferRows', create: transfers },
    { name: 'LiquidityRows', create: () => new LiquidityRows(ids(), undo) },
    { name: 'LockRows', create: () => new LockRows(ids(), undo) },
    {
      name: 'PaymentLogs',
      create: () => new PaymentLogs(ids(), CASE_BOUNDS, noCounts(), undo),
      kept,
    },
    { name: 'LaunchBook', create: () => new LaunchBook(ids(), undo) },
    { name: 'TradeTrails', create: () => new TradeTrails(ids(), undo) },
    { name: 'LaunchSnipes', create: () => new LaunchSnipes(ids(), undo) },
    { name: 'PoolFees', create: () => new PoolFees(ids(), undo) },
  ];
}

export const CASE_RECORDS: readonly GraphRecord[] = [
  layoutRecord('case of a mint', MINT_LAYOUT),
  layoutRecord('trade of a case', TRADE_LAYOUT),
  layoutRecord('cosigner', COSIGNER_LAYOUT),
  layoutRecord('transfer of a case', TRANSFER_LAYOUT),
  layoutRecord('liquidity of a case', LIQUIDITY_LAYOUT),
  layoutRecord('lock of a case', LOCK_LAYOUT),
  layoutRecord('payment', PAYMENT_LAYOUT),
  layoutRecord('wallet of payments', WALLET_LAYOUT),
  layoutRecord('log', LOG_LAYOUT),
  layoutRecord('launch', LAUNCH_LAYOUT),
  layoutRecord('creator of bundles', CREATOR_LAYOUT),
  layoutRecord('trail', TRAIL_LAYOUT),
  layoutRecord('snipes', SNIPE_LAYOUT),
  layoutRecord('fee of a pool', FEE_LAYOUT),
  record<CaseBooks>('books of cases', {
    lists: 'always',
    launches: 'always',
    trails: 'always',
    snipes: 'always',
    fees: 'always',
  }),
  record<CaseBounds>('bounds of cases', {
    mintsMax: 'always',
    untradedMax: 'always',
    walletsMax: 'always',
    trades: 'always',
    transfers: 'always',
    liquidity: 'always',
    locks: 'always',
    payments: 'always',
    tradeRowsMax: 'always',
    cosignerRowsMax: 'always',
    transferRowsMax: 'always',
    liquidityRowsMax: 'always',
    lockRowsMax: 'always',
    paymentRowsMax: 'always',
  }),
  record<CaseCounts>('counts of cases', {
    tradesCut: 'always',
    transfersCut: 'always',
    liquidityCut: 'always',
    locksCut: 'always',
    paymentsCut: 'always',
    mintsCut: 'always',
    walletsCut: 'always',
    mintsForgotten: 'always',
    refused: 'always',
  }),
  record<LogBound>('bound of logs', { first: 'always', newest: 'always' }),
  record<LogHead>('place of logs', { mints: 'always', field: 'always' }),
  record<QueueFields>('fields of a queue', { older: 'always', newer: 'always' }),
  record<QueueEnds>('ends of a queue', { oldest: 'always', newest: 'always', size: 'always' }),
  record<Field>('field', { kind: 'always', offset: 'always', length: 'always' }),
  { name: 'payments so far', fields: { payments: 'always' } },
];

function record<Stored>(name: string, fields: FieldsOf<Stored>): GraphRecord {
  return { name, fields: fields as GraphRecord['fields'] };
}
