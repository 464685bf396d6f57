/**
 * Raydium's launchpad, program LanMV9sA…, with the platforms that launch through it.
 *
 * Trades are read from the transfers between the instruction and the curve's two vaults; the
 * program's event adds the fees, the virtual reserves and whether the curve is complete.
 * `initialize` creates a curve with the whole supply. `migrate_to_…` moves the amount raised into a
 * Raydium pool, whose own instruction below it yields the new pool. Names and links are set through
 * the metadata program.
 */
import type { Swap } from '../../model/swap.ts';
import { launchlabLayout } from '../families/launchlab-layout.ts';
import {
  type LaunchlabTradeEvent,
  readLaunchlabTradeEvent,
} from '../families/launchlab-trade-event.ts';
import { type DecodeResult, events, malformed, resultOf } from '../legs/decoder.ts';
import { completedBy, launch, toMigrate } from '../legs/launch-readers.ts';
import { swapAccounts } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder, withAllAccounts } from '../legs/program-decoder.ts';
import { deltaOf, readSwap } from '../legs/swap-legs.ts';

const TRADE = {
  pool: 'pool_state',
  vaults: ['base_vault', 'quote_vault'],
  isBaseFirst: true,
  user: 'payer',
  userAccounts: ['user_base_token', 'user_quote_token'],
} as const;
const LAUNCH = launch({
  mint: 'base_mint',
  pool: 'pool_state',
  creator: 'creator',
  tokenProgram: 'base_token_program',
  baseVault: 'base_vault',
  quote: { mint: 'quote_mint', vault: 'quote_vault' },
});

export const raydiumLaunchlab = venueDecoder({
  name: 'raydium_launchlab',
  programId: 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj',
  layout: launchlabLayout,
  readers: {
    buy_exact_in: decodeTrade,
    buy_exact_out: decodeTrade,
    sell_exact_in: decodeTrade,
    sell_exact_out: decodeTrade,
    initialize: LAUNCH,
    initialize_v2: LAUNCH,
    initialize_with_token_2022: LAUNCH,
    migrate_to_amm: withAllAccounts((call) => {
      const { amm_pool: pool, amm_base_vault: base, amm_quote_vault: quote } = call.at;
      return decodeMigrate(call, { pool, base, quote });
    }),
    migrate_to_cpswap: withAllAccounts((call) => {
      const { cpswap_pool: pool, cpswap_base_vault: base, cpswap_quote_vault: quote } = call.at;
      return decodeMigrate(call, { pool, base, quote });
    }),
  },
});

/** The last buy of a curve also completes it. */
function decodeTrade(
  call: ProgramCall<keyof typeof launchlabLayout.instructions.buy_exact_in.accounts>,
): DecodeResult {
  const { instruction, view } = call;
  const data = view.selfEventOf(instruction, launchlabLayout.events.TradeEvent.discriminator);
  const event = data === null ? null : readLaunchlabTradeEvent(data);
  if (data !== null && event === null) return malformed('TradeEvent ends inside its fields');
  const reading = readSwap(view, instruction, swapAccounts(call, TRADE), event ?? {});
  if (reading.status !== 'event') return resultOf(reading);
  const swap = checkedAgainst(event, reading.event);
  return event?.isComplete === true ? events(swap, completedBy(swap)) : events(swap);
}

function checkedAgainst(event: LaunchlabTradeEvent | null, swap: Swap): Swap {
  if (event === null || event.baseSold === -swap.poolBaseDelta) return swap;
  const contradiction = `event says ${event.baseSold} tokens, ${-swap.poolBaseDelta} moved`;
  return { ...swap, quarantine: swap.quarantine ?? contradiction };
}

/** Moves the curve's tokens into the vaults `base` and `quote` of the new pool. */
function decodeMigrate(
  call: ProgramCall<'base_mint' | 'pool_state'>,
  to: Readonly<Record<'pool' | 'base' | 'quote', number>>,
): DecodeResult {
  const { at, instruction, view } = call;
  const movements = view.tokenMovementsWithin(instruction);
  const base = deltaOf(movements, to.base);
  const quote = deltaOf(movements, to.quote);
  if (base <= 0n || quote <= 0n) return malformed('a migration that did not fill a pool');
  const { keys } = view.transaction;
  const pools = {
    mint: keys.at(at.base_mint),
    fromPool: keys.at(at.pool_state),
    toPool: keys.at(to.pool),
  };
  return events(toMigrate(call, pools, { base, quote }));
}
