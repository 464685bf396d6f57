/**
 * Raydium's launchpad, program LanMV9sA…, with the platforms that launch through it.
 *
 * Trades are read from the transfers between the instruction and the curve's two vaults; the
 * program's event adds the fees, the virtual reserves and whether the curve is complete.
 * `initialize` creates a curve with the whole supply. `migrate_to_…` moves the amount raised into a
 * Raydium pool, whose own instruction below it yields the new pool. Names and links are set through
 * the metadata program.
 */
import type { CurveComplete, Launch, Migrate } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Swap } from '../../model/swap.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { launchlabLayout } from '../families/launchlab-layout.ts';
import {
  type LaunchlabTradeEvent,
  readLaunchlabTradeEvent,
} from '../families/launchlab-trade-event.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { mintedSupply } from '../legs/minted-supply.ts';
import { deltaOf, readSwap, reservesOf } from '../legs/swap-legs.ts';
import { isSelfEvent } from '../transaction/discriminator.ts';
import { accountsOf, eventTable, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const INSTRUCTIONS = instructionTable(launchlabLayout);
const EVENTS = eventTable(launchlabLayout);

export const raydiumLaunchlab: Decoder = {
  name: 'raydium_launchlab',
  programId: 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj' as Address,
  isVenue: true,
  decode(instruction, view) {
    const { data } = instruction;
    if (isSelfEvent(data)) {
      return EVENTS.get(data, 8) === undefined ? unknown(data.subarray(8), 8) : IGNORED;
    }
    const name = INSTRUCTIONS.get(data);
    switch (name) {
      case 'buy_exact_in':
      case 'buy_exact_out':
      case 'sell_exact_in':
      case 'sell_exact_out':
        return decodeTrade(instruction, view);
      case 'initialize':
      case 'initialize_v2':
      case 'initialize_with_token_2022':
        return decodeInitialize(name, instruction, view);
      case 'migrate_to_amm': {
        const at = accountsOf(instruction, launchlabLayout.instructions.migrate_to_amm);
        return decodeMigrate(
          { ...at, pool: at.amm_pool, base: at.amm_base_vault, quote: at.amm_quote_vault },
          instruction,
          view,
        );
      }
      case 'migrate_to_cpswap': {
        const at = accountsOf(instruction, launchlabLayout.instructions.migrate_to_cpswap);
        return decodeMigrate(
          { ...at, pool: at.cpswap_pool, base: at.cpswap_base_vault, quote: at.cpswap_quote_vault },
          instruction,
          view,
        );
      }
      case 'ignored':
        return IGNORED;
      default:
        return unknown(data, 8);
    }
  },
};

/** The last buy of a curve also completes it. */
function decodeTrade(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, launchlabLayout.instructions.buy_exact_in);
  const data = view.selfEventOf(instruction, launchlabLayout.events.TradeEvent.discriminator);
  const event = data === null ? null : readLaunchlabTradeEvent(data);
  if (data !== null && event === null) return malformed('TradeEvent ends inside its fields');
  const reading = readSwap(
    view,
    instruction,
    {
      venue: 'raydium_launchlab',
      pool: at.pool_state,
      vaults: [at.base_vault, at.quote_vault],
      isBaseFirst: true,
      user: at.payer,
      userAccounts: [at.user_base_token, at.user_quote_token],
    },
    event ?? {},
  );
  if (reading.status !== 'event') return resultOf(reading);
  const swap = checkedAgainst(event, reading.event);
  if (event === null || !event.isComplete) return events(swap);
  const complete: CurveComplete = {
    kind: 'curveComplete',
    outerIx: swap.outerIx,
    innerIx: swap.innerIx,
    venue: 'raydium_launchlab',
    mint: swap.baseMint,
    pool: swap.pool,
  };
  return events(swap, complete);
}

function checkedAgainst(event: LaunchlabTradeEvent | null, swap: Swap): Swap {
  if (event === null || event.baseSold === -swap.poolBaseDelta) return swap;
  const contradiction = `event says ${event.baseSold} tokens, ${-swap.poolBaseDelta} moved`;
  return { ...swap, quarantine: swap.quarantine ?? contradiction };
}

function decodeInitialize(
  name: `initialize${'' | '_v2' | '_with_token_2022'}`,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, launchlabLayout.instructions[name]);
  if (at.base_token_program < 0) return malformed('too few accounts');
  const { keys } = view.transaction;
  const mint = keys.at(at.base_mint);
  const launch: Launch = {
    kind: 'launch',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'raydium_launchlab',
    mint,
    quoteMint: keys.at(at.quote_mint),
    pool: keys.at(at.pool_state),
    creator: keys.at(at.creator),
    tokenProgram: keys.at(at.base_token_program),
    supply: mintedSupply(view, instruction, mint),
    reserves: reservesOf(view, instruction, at.base_vault, at.quote_vault),
  };
  return events(launch);
}

/** Accounts of a migration; `base` and `quote` are the vaults of the new pool. */
type MigrateAccounts = Record<'base_mint' | 'pool_state' | 'pool' | 'base' | 'quote', number>;

function decodeMigrate(
  at: MigrateAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  if (at.pool_state < 0) return malformed('too few accounts');
  const movements = view.tokenMovementsWithin(instruction);
  const baseRaw = deltaOf(movements, at.base);
  const quoteRaw = deltaOf(movements, at.quote);
  if (baseRaw <= 0n || quoteRaw <= 0n) return malformed('a migration that did not fill a pool');
  const { keys } = view.transaction;
  const migrate: Migrate = {
    kind: 'migrate',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'raydium_launchlab',
    mint: keys.at(at.base_mint),
    fromPool: keys.at(at.pool_state),
    toPool: keys.at(at.pool),
    baseRaw: baseRaw as RawAmount,
    quoteRaw: quoteRaw as RawAmount,
  };
  return events(migrate);
}
