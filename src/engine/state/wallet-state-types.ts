import {
  DistinctRegisters,
  ESTIMATE_LAYOUT,
  REGISTERS_LAYOUT,
} from '../../fold/funding/distinct-registers.ts';
import { FanOutBook } from '../../fold/funding/fan-out-book.ts';
import {
  FEE_ACCOUNT_LAYOUT,
  FeeAccountWatch,
  type VenuePayments,
} from '../../fold/funding/fee-account-watch.ts';
import { FUNDER_LAYOUT, RECIPIENTS_LAYOUT } from '../../fold/funding/funder-row.ts';
import { FundingBook } from '../../fold/funding/funding-book.ts';
import { FUNDING_LAYOUT } from '../../fold/funding/funding-row.ts';
import { IDS_LAYOUT, IdLists } from '../../fold/funding/id-lists.ts';
import { IdQueue, QUEUE_LAYOUT, type QueueState } from '../../fold/funding/id-queue.ts';
import { SPONSORSHIP_LAYOUT, SponsorWatch } from '../../fold/funding/sponsor-watch.ts';
import { POOL_LAYOUT } from '../../fold/indicators/pool-row.ts';
import { PoolRows } from '../../fold/indicators/pool-rows.ts';
import type { PoolTables } from '../../fold/indicators/pool-standing.ts';
import { PoolWalletBook } from '../../fold/indicators/pool-wallet-book.ts';
import { POOL_WALLET_LAYOUT } from '../../fold/indicators/pool-wallet-row.ts';
import { SmartFlowBook, type SmartMoves } from '../../fold/indicators/smart-flow.ts';
import { SMART_HOLDING_LAYOUT, SmartHolderBook } from '../../fold/indicators/smart-holders.ts';
import { type DueDay, DueQueue } from '../../fold/positions/due-queue.ts';
import { Episodes } from '../../fold/positions/episodes.ts';
import { MINT_LAYOUT } from '../../fold/positions/mint-row.ts';
import { PositionBook } from '../../fold/positions/position-book.ts';
import { POSITION_LAYOUT } from '../../fold/positions/position-row.ts';
import { FOLLOW_LAYOUT, FollowBook, type SlotBuyers } from '../../fold/smart/follow-book.ts';
import { SMART_LAYOUT, SmartBook } from '../../fold/smart/smart-book.ts';
import { WALLET_LAYOUT } from '../../fold/wallets/features/wallet-row.ts';
import { ProfileLocations } from '../../fold/wallets/profile-location.ts';
import { type ProgramUse, ProgramUsers } from '../../fold/wallets/program-users.ts';
import { WalletBook } from '../../fold/wallets/wallet-book.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import type { GraphClass, GraphRecord } from '../../lib/graph-types.ts';
import { IdRows } from '../../lib/id-rows.ts';
import { NameNumbers } from '../../lib/name-numbers.ts';
import { type IndexState, PairIndex } from '../../lib/pair-index.ts';
import { layoutRecord } from '../../lib/row-layout.ts';
import { type Extent, RowTable } from '../../lib/row-table.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { WordList } from '../../lib/word-list.ts';
import { ADDRESS_REGISTRY } from '../../model/address-registry.ts';
import type { RowSpill } from '../../model/row-spill.ts';
import type { Address } from '../../model/units.ts';
import { IndicatorMinutes, type IndicatorTime } from '../books/indicator-minutes.ts';
import { KNOWN_PROGRAMS, type WalletBooks } from '../books/wallet-books.ts';
import { record } from './state-record.ts';

/**
 * Graph classes of the wallet books. Rows store their length; the records describe their fields.
 */
export function walletClassesOf(undo: UndoLog, spill: RowSpill): GraphClass[] {
  const kept = ['undo'];
  const newIds = () => new AddressIds<Address>(undo);
  const newRows = () => new RowTable(POSITION_LAYOUT, undo);
  return [
    { name: 'AddressIds', create: newIds, kept },
    { name: 'RowTable', create: newRows, kept },
    { name: 'PairIndex', create: () => new PairIndex(undo), kept },
    { name: 'WordList', create: () => new WordList(undo), kept },
    { name: 'NameNumbers', create: () => new NameNumbers(undo), kept },
    { name: 'IdRows', create: () => new IdRows(undo) },
    { name: 'ProfileLocations', create: () => new ProfileLocations(undo) },
    {
      name: 'FundingBook',
      create: () => new FundingBook(newIds(), ADDRESS_REGISTRY, undo),
      kept: ['registry'],
    },
    { name: 'FanOutBook', create: () => new FanOutBook(undo), kept },
    { name: 'DistinctRegisters', create: () => new DistinctRegisters(undo) },
    { name: 'IdLists', create: () => new IdLists(undo) },
    { name: 'IdQueue', create: () => new IdQueue(undo), kept },
    { name: 'SponsorWatch', create: () => new SponsorWatch(newIds(), undo) },
    { name: 'FeeAccountWatch', create: () => new FeeAccountWatch(newIds(), undo), kept },
    {
      name: 'WalletBook',
      create: () => new WalletBook({ ids: newIds(), knownPrograms: KNOWN_PROGRAMS, spill }, undo),
      // The profiles touched by a slot; empty between slots.
      kept: ['undo', 'spill', 'release', 'sides', 'touched'],
    },
    {
      name: 'ProgramUsers',
      create: () => new ProgramUsers(KNOWN_PROGRAMS, undo),
      kept: ['undo', 'knownPrograms'],
    },
    { name: 'PositionBook', create: () => new PositionBook(newIds(), undo), kept },
    { name: 'Episodes', create: () => new Episodes(newRows(), newIds(), undo), kept },
    { name: 'DueQueue', create: () => new DueQueue(newRows(), undo), kept },
    { name: 'FollowBook', create: () => new FollowBook(newIds(), undo), kept },
    { name: 'SmartBook', create: () => new SmartBook(newIds(), undo), kept },
    { name: 'PoolRows', create: () => new PoolRows(newIds(), undo) },
    { name: 'PoolWalletBook', create: () => new PoolWalletBook(newIds(), undo), kept },
    { name: 'SmartFlowBook', create: () => new SmartFlowBook(undo), kept },
    { name: 'SmartHolderBook', create: () => new SmartHolderBook(newIds(), undo) },
    { name: 'IndicatorMinutes', create: () => new IndicatorMinutes(undo), kept },
  ];
}

export const WALLET_RECORDS: readonly GraphRecord[] = [
  layoutRecord('funding', FUNDING_LAYOUT),
  layoutRecord('funder', FUNDER_LAYOUT),
  layoutRecord('recipients of a funder', RECIPIENTS_LAYOUT),
  layoutRecord('estimate of recipients', ESTIMATE_LAYOUT),
  layoutRecord('registers of an estimate', REGISTERS_LAYOUT),
  layoutRecord('sponsorship', SPONSORSHIP_LAYOUT),
  layoutRecord('ids of a list', IDS_LAYOUT),
  layoutRecord('ids of a queue', QUEUE_LAYOUT),
  layoutRecord('fee account', FEE_ACCOUNT_LAYOUT),
  layoutRecord('profile of a wallet', WALLET_LAYOUT),
  layoutRecord('position', POSITION_LAYOUT),
  layoutRecord('mint of positions', MINT_LAYOUT),
  layoutRecord('whom a wallet follows', FOLLOW_LAYOUT),
  layoutRecord('skill', SMART_LAYOUT),
  layoutRecord('wallet of a pool', POOL_WALLET_LAYOUT),
  layoutRecord('pool of wallets', POOL_LAYOUT),
  layoutRecord('smart holding', SMART_HOLDING_LAYOUT),
  record<WalletBooks>('books of wallets', {
    ids: 'always',
    funding: 'always',
    wallets: 'always',
    positions: 'always',
    follows: 'always',
    smart: 'always',
    poolWallets: 'always',
    smartFlows: 'always',
    smartHolders: 'always',
  }),
  record<Extent>('extent of rows', { size: 'always', end: 'always', free: 'always' }),
  record<IndexState>('index of pairs', { pages: 'always', cells: 'always', size: 'always' }),
  { name: 'total of funders', fields: { hubs: 'always' } },
  record<QueueState>('queue of ids', {
    first: 'always',
    last: 'always',
    from: 'always',
    to: 'always',
  }),
  record<SlotBuyers>('first buyers of a slot', { slot: 'always', buyersOf: 'always' }),
  { name: 'skill expired', fields: { expiredMs: 'always' } },
  { name: 'profiles spilled', fields: { count: 'always', hashSum: 'always' } },
  { name: 'time of positions', fields: { latestMs: 'always' } },
  record<VenuePayments>('payments of a venue', {
    hour: 'always',
    swaps: 'always',
    counters: 'always',
  }),
  record<ProgramUse>('use of a program', { users: 'always' }),
  record<DueDay>('positions of a day', { day: 'always', first: 'always', last: 'always' }),
  record<PoolTables>('tables of pools and wallets', { pools: 'always', rows: 'always' }),
  record<SmartMoves>('smart moves', {
    timeMs: 'always',
    wallet: 'always',
    cluster: 'always',
    weightE6: 'always',
    isEligible: 'always',
    boughtUsd: 'always',
    soldUsd: 'always',
  }),
  { name: 'minutes so far', fields: { last: 'always' } },
  record<IndicatorTime>('time of figures', { slot: 'always', timeMs: 'always' }),
];
