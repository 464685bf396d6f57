/**
 * Raydium's first pools, program 675kPX9M…, which formerly also quoted on an order book.
 *
 * Swaps, deposits and withdrawals are read from the transfers between the instruction and the two
 * vaults; arguments and the `ray_log` line are not needed. Tokens that an old instruction fetched
 * from the pool's own orders on the market are not a leg of a trade and are left out.
 */
import { type DecodeResult, malformed, resultOf } from '../legs/decoder.ts';
import { readLiquidity } from '../legs/liquidity-legs.ts';
import { liquidityAccounts, poolCreated, swapAccounts } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder, withAccounts } from '../legs/program-decoder.ts';
import { readSwap } from '../legs/swap-legs.ts';
import type { ProgramLayout } from '../transaction/program-layout.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';

const SWAP_ACCOUNTS = {
  amm: 1,
  poolCoinTokenAccount: 5,
  poolPcTokenAccount: 6,
  serumCoinVaultAccount: 12,
  serumPcVaultAccount: 13,
  uerSourceTokenAccount: 15,
  uerDestinationTokenAccount: 16,
  userSourceOwner: 17,
};
/**
 * The same without `ammTargetOrders`, which clients may omit; all following accounts shift by one.
 */
const SHORT_SWAP_ACCOUNTS = {
  amm: 1,
  poolCoinTokenAccount: 4,
  poolPcTokenAccount: 5,
  serumCoinVaultAccount: 11,
  serumPcVaultAccount: 12,
  uerSourceTokenAccount: 14,
  uerDestinationTokenAccount: 15,
  userSourceOwner: 16,
};
/** Swaps without a market. They are in the program's source but not in the interface file. */
const SWAP_V2_ACCOUNTS = {
  amm: 1,
  poolCoinTokenAccount: 3,
  poolPcTokenAccount: 4,
  uerSourceTokenAccount: 5,
  uerDestinationTokenAccount: 6,
  userSourceOwner: 7,
};
const DEPOSIT_ACCOUNTS = {
  amm: 1,
  lpMintAddress: 5,
  poolCoinTokenAccount: 6,
  poolPcTokenAccount: 7,
  userOwner: 12,
};
const WITHDRAW_ACCOUNTS = {
  amm: 1,
  lpMintAddress: 5,
  poolCoinTokenAccount: 6,
  poolPcTokenAccount: 7,
  serumCoinVaultAccount: 12,
  serumPcVaultAccount: 13,
  uerCoinTokenAccount: 16,
  uerPcTokenAccount: 17,
  userOwner: 18,
};
/** Later form, without `poolWithdrawQueue` and `poolTempLpTokenAccount`. */
const SHORT_WITHDRAW_ACCOUNTS = {
  ...WITHDRAW_ACCOUNTS,
  serumCoinVaultAccount: 10,
  serumPcVaultAccount: 11,
  uerCoinTokenAccount: 14,
  uerPcTokenAccount: 15,
  userOwner: 16,
};
/** Latest form, without a market and `ammOpenOrders`. */
const MARKETLESS_WITHDRAW_ACCOUNTS = {
  amm: 1,
  lpMintAddress: 4,
  poolCoinTokenAccount: 5,
  poolPcTokenAccount: 6,
  userOwner: 10,
};

export const raydiumAmmV4Layout = {
  instructions: {
    initialize: {
      discriminator: '00',
      accounts: {
        amm: 3,
        lpMintAddress: 6,
        poolCoinTokenAccount: 9,
        poolPcTokenAccount: 10,
        userWallet: 17,
      },
    },
    initialize2: {
      discriminator: '01',
      accounts: {
        amm: 4,
        lpMint: 7,
        poolCoinTokenAccount: 10,
        poolPcTokenAccount: 11,
        userWallet: 17,
      },
    },
    deposit: { discriminator: '03', accounts: DEPOSIT_ACCOUNTS },
    withdraw: { discriminator: '04', accounts: WITHDRAW_ACCOUNTS },
    swapBaseIn: { discriminator: '09', accounts: SWAP_ACCOUNTS },
    swapBaseOut: { discriminator: '0b', accounts: SWAP_ACCOUNTS },
    swapBaseInV2: { discriminator: '10', accounts: SWAP_V2_ACCOUNTS },
    swapBaseOutV2: { discriminator: '11', accounts: SWAP_V2_ACCOUNTS },
  },
  ignoredInstructions: {
    monitorStep: '02',
    migrateToOpenBook: '05',
    setParams: '06',
    withdrawPnl: '07',
    withdrawSrm: '08',
    preInitialize: '0a',
    simulateInfo: '0c',
    adminCancelOrders: '0d',
    createConfigAccount: '0e',
    updateConfigAccount: '0f',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

const POOL = { pool: 'amm', vaults: ['poolCoinTokenAccount', 'poolPcTokenAccount'] } as const;
const SWAP = {
  ...POOL,
  user: 'userSourceOwner',
  userAccounts: ['uerSourceTokenAccount', 'uerDestinationTokenAccount'],
} as const;
const LIQUIDITY = { ...POOL, provider: 'userOwner', lpMint: 'lpMintAddress' } as const;

export const raydiumAmmV4 = venueDecoder({
  name: 'raydium_amm_v4',
  programId: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
  layout: raydiumAmmV4Layout,
  readers: {
    initialize: poolCreated({ ...POOL, provider: 'userWallet', lpMint: 'lpMintAddress' }),
    initialize2: poolCreated({ ...POOL, provider: 'userWallet', lpMint: 'lpMint' }),
    deposit: readLiquidityAt,
    withdraw: decodeWithdraw,
    swapBaseIn: decodeSwap,
    swapBaseOut: decodeSwap,
    swapBaseInV2: readSwapAt,
    swapBaseOutV2: readSwapAt,
  },
});

/** The program rejects any other number of accounts. */
function decodeSwap(call: ProgramCall<keyof typeof SWAP_ACCOUNTS>): DecodeResult {
  const count = call.instruction.accountCount;
  if (count !== 17 && count !== 18) return malformed(`swap with ${count} accounts`);
  return readSwapAt(count === 18 ? call : withAccounts(call, SHORT_SWAP_ACCOUNTS));
}

function readSwapAt(call: ProgramCall<keyof typeof SWAP_V2_ACCOUNTS>): DecodeResult {
  const accounts = { ...swapAccounts(call, SWAP), movements: movementsWithUsers(call) };
  return resultOf(readSwap(call.view, call.instruction, accounts));
}

/** The program accepts 11, or 20 to 23 accounts. */
function decodeWithdraw(call: ProgramCall<keyof typeof WITHDRAW_ACCOUNTS>): DecodeResult {
  const count = call.instruction.accountCount;
  if (count === 11) return readLiquidityAt(withAccounts(call, MARKETLESS_WITHDRAW_ACCOUNTS));
  if (count < 20 || count > 23) return malformed(`withdraw with ${count} accounts`);
  return readLiquidityAt(count < 22 ? withAccounts(call, SHORT_WITHDRAW_ACCOUNTS) : call);
}

function readLiquidityAt(call: ProgramCall<keyof typeof DEPOSIT_ACCOUNTS>): DecodeResult {
  const accounts = { ...liquidityAccounts(call, LIQUIDITY), movements: movementsWithUsers(call) };
  return resultOf(readLiquidity(call.view, call.instruction, accounts));
}

/**
 * Movements below the instruction, without transfers between the market's vaults and the pool's.
 * Since the program no longer uses the market, clients fill its account positions with arbitrary
 * accounts, often the pool's or their own; such a placeholder is not a market vault.
 */
function movementsWithUsers({
  at,
  instruction,
  view,
}: ProgramCall<string>): readonly TokenMovement[] {
  const { serumCoinVaultAccount, serumPcVaultAccount, ...others } = at;
  const named = new Set(Object.values(others));
  const market = [serumCoinVaultAccount, serumPcVaultAccount].filter(
    (account) => account !== undefined && !named.has(account),
  );
  const movements = view.tokenMovementsUnder(instruction);
  return movements.filter(
    ({ source, destination }) => !market.includes(source) && !market.includes(destination),
  );
}
