import { WRAPPED_SOL } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { TransferFee } from '../chain/ledger.ts';
import { planRaydiumLock } from '../programs/raydium-lock.ts';
import { planStream } from '../programs/streamflow.ts';
import { burnTokens } from '../programs/token.ts';
import type { Random } from '../random/random.ts';
import type { PlannedPool, VenueContext } from '../venues/launchpad.ts';
import { planMeteoraDlmm } from '../venues/meteora-dlmm.ts';
import { planRaydiumAmmV4 } from '../venues/raydium-amm-v4.ts';
import { planRaydiumCpmm, type RaydiumCpmmPool } from '../venues/raydium-cpmm.ts';
import { inProgramOrder } from '../venues/raydium-cpmm-accounts.ts';

/** What a creator does with the LP tokens: `stream` is a lock that expires. */
export type LiquidityHandling = 'burn' | 'lock' | 'stream' | 'keep';

/** The properties of a pool opened for a new token. */
export interface PoolStyle {
  readonly venue: 'raydium_amm_v4' | 'raydium_cpmm' | 'meteora_dlmm';
  /** Of the token. Only if the venue supports such tokens. */
  readonly transferFee: TransferFee | null;
  /** Raydium's locker only accepts LP tokens of its CPMM, and DLMM positions are not tokens. */
  readonly handling: LiquidityHandling;
}

/** Burns or locks all of a pool's LP tokens that the creator holds. */
export interface Seal {
  readonly signers: readonly Address[];
  build(execution: Execution, owner: Address): void;
}

export interface StyledPool {
  readonly planned: PlannedPool;
  /** Null if the creator keeps the liquidity. */
  readonly seal: Seal | null;
}

const TAXED_SHARE = 0.3;
const TAX_BPS = [100, 200, 300, 500] as const;
const NO_MAXIMUM_RAW = 2n ** 64n - 1n;
const CPMM_HANDLINGS = ['burn', 'burn', 'lock', 'lock', 'stream', 'keep'] as const;
const AMM_HANDLINGS = ['burn', 'burn', 'stream', 'keep'] as const;
const STREAM_SECONDS = 180 * 86_400;

export function drawPoolStyle(random: Random): PoolStyle {
  const draw = random.unit();
  if (draw < 0.55) {
    const transferFee = random.chance(TAXED_SHARE)
      ? { feeBps: random.pick(TAX_BPS), maxFeeRaw: NO_MAXIMUM_RAW }
      : null;
    return { venue: 'raydium_cpmm', transferFee, handling: random.pick(CPMM_HANDLINGS) };
  }
  if (draw < 0.85) {
    return { venue: 'raydium_amm_v4', transferFee: null, handling: random.pick(AMM_HANDLINGS) };
  }
  return { venue: 'meteora_dlmm', transferFee: null, handling: 'keep' };
}

/** The pool of a token in SOL. */
export function planStyledPool(
  context: VenueContext,
  baseMint: Address,
  { venue, handling }: PoolStyle,
): StyledPool {
  const pair = { baseMint, quoteMint: WRAPPED_SOL };
  switch (venue) {
    case 'raydium_cpmm': {
      const planned = planRaydiumCpmm(context, pair);
      if (handling === 'lock') return { planned, seal: raydiumLock(context, planned.pool) };
      return { planned, seal: sealOf(context, planned.pool.lpMint, handling) };
    }
    case 'raydium_amm_v4': {
      const planned = planRaydiumAmmV4(context, pair);
      return { planned, seal: sealOf(context, planned.pool.lpMint, handling) };
    }
    case 'meteora_dlmm':
      return { planned: planMeteoraDlmm(context, pair), seal: null };
  }
}

function sealOf(context: VenueContext, lpMint: Address, handling: LiquidityHandling): Seal | null {
  const { keyring, tokenAccounts } = context;
  if (handling === 'burn') {
    return {
      signers: [],
      build(execution, owner) {
        const amountRaw = heldBy(execution, context, owner, lpMint);
        const from = tokenAccounts.of(owner, lpMint);
        burnTokens(execution, { from, authority: owner, amountRaw });
      },
    };
  }
  if (handling !== 'stream') return null;
  const stream = planStream(keyring, tokenAccounts);
  return {
    signers: stream.createSigners,
    build(execution, owner) {
      const amountRaw = heldBy(execution, context, owner, lpMint);
      const unlockTime = execution.clock.unixTime + STREAM_SECONDS;
      stream.create(execution, { sender: owner, mint: lpMint, amountRaw, unlockTime });
    },
  };
}

function raydiumLock(context: VenueContext, { accounts, pool, lpMint }: RaydiumCpmmPool): Seal {
  const planned = planRaydiumLock(context.keyring, context.tokenAccounts);
  const [token0, token1] = inProgramOrder(accounts, accounts.base, accounts.quote);
  const lockable = { pool, lpMint, vault0: token0.vault, vault1: token1.vault };
  return {
    signers: planned.createSigners,
    build: (execution, owner) =>
      planned.lock(execution, owner, lockable, heldBy(execution, context, owner, lpMint)),
  };
}

function heldBy(
  { ledger }: Execution,
  { tokenAccounts }: VenueContext,
  owner: Address,
  mint: Address,
): bigint {
  return ledger.token(tokenAccounts.of(owner, mint)).amountRaw;
}
