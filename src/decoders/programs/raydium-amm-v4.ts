/**
 * Raydium's first pools, program 675kPX9M…, which formerly also quoted on an order book.
 *
 * Swaps, deposits and withdrawals are read from the transfers between the instruction and the two
 * vaults; arguments and the `ray_log` line are not needed. Tokens that an old instruction fetched
 * from the pool's own orders on the market are not a leg of a trade and are left out.
 */
import type { Instruction } from '../../model/instruction.ts';
import type { Address } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { type LiquidityAccounts, readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { readSwap } from '../legs/swap-legs.ts';
import {
  accountsOf,
  numberedInstructions,
  type ProgramLayout,
} from '../transaction/program-layout.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

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

const KIND_OF_TAG = numberedInstructions(raydiumAmmV4Layout);
const NO_TAG = -1;

export const raydiumAmmV4: Decoder = {
  name: 'raydium_amm_v4',
  programId: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8' as Address,
  isVenue: true,
  decode(instruction, view) {
    switch (KIND_OF_TAG[instruction.data[0] ?? NO_TAG]) {
      case 'swapBaseIn':
      case 'swapBaseOut':
        return decodeSwap(instruction, view);
      case 'swapBaseInV2':
      case 'swapBaseOutV2':
        return decodeSwapV2(instruction, view);
      case 'deposit':
        return decodeDeposit(instruction, view);
      case 'withdraw':
        return decodeWithdraw(instruction, view);
      case 'initialize':
        return decodeInitialize(instruction, view);
      case 'initialize2':
        return decodeInitialize2(instruction, view);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(instruction.data, 1);
    }
  },
};

/** The program rejects any other number of accounts. */
function decodeSwap(instruction: Instruction, view: TransactionView): DecodeResult {
  const count = instruction.accountCount;
  if (count !== 17 && count !== 18) return malformed(`swap with ${count} accounts`);
  const accounts = count === 18 ? SWAP_ACCOUNTS : SHORT_SWAP_ACCOUNTS;
  return readSwapAt(accountsOf(instruction, { accounts }), view, instruction);
}

function decodeSwapV2(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, raydiumAmmV4Layout.instructions.swapBaseInV2);
  return readSwapAt(at, view, instruction);
}

function readSwapAt(
  at: Record<keyof typeof SWAP_V2_ACCOUNTS, number>,
  view: TransactionView,
  instruction: Instruction,
): DecodeResult {
  const reading = readSwap(view, instruction, {
    venue: 'raydium_amm_v4',
    pool: at.amm,
    vaults: [at.poolCoinTokenAccount, at.poolPcTokenAccount],
    user: at.userSourceOwner,
    userAccounts: [at.uerSourceTokenAccount, at.uerDestinationTokenAccount],
    movements: movementsWithUsers(view, instruction, at),
  });
  return resultOf(reading);
}

/**
 * Movements below the instruction, without transfers between the market's vaults and the pool's.
 * Since the program no longer uses the market, clients fill its account positions with arbitrary
 * accounts, often the pool's or their own; such a placeholder is not a market vault.
 */
function movementsWithUsers(
  view: TransactionView,
  instruction: Instruction,
  at: Readonly<Record<string, number>>,
): readonly TokenMovement[] {
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

function decodeDeposit(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, raydiumAmmV4Layout.instructions.deposit);
  return readLiquidityAt(at, view, instruction);
}

/** The program accepts 11, or 20 to 23 accounts. */
function decodeWithdraw(instruction: Instruction, view: TransactionView): DecodeResult {
  const count = instruction.accountCount;
  if (count === 11) {
    const at = accountsOf(instruction, { accounts: MARKETLESS_WITHDRAW_ACCOUNTS });
    return readLiquidityAt(at, view, instruction);
  }
  if (count < 20 || count > 23) return malformed(`withdraw with ${count} accounts`);
  const accounts = count < 22 ? SHORT_WITHDRAW_ACCOUNTS : WITHDRAW_ACCOUNTS;
  return readLiquidityAt(accountsOf(instruction, { accounts }), view, instruction);
}

function readLiquidityAt(
  at: Record<keyof typeof DEPOSIT_ACCOUNTS, number>,
  view: TransactionView,
  instruction: Instruction,
): DecodeResult {
  const reading = readLiquidity(view, instruction, {
    venue: 'raydium_amm_v4',
    pool: at.amm,
    vaults: [at.poolCoinTokenAccount, at.poolPcTokenAccount],
    provider: at.userOwner,
    lpMint: at.lpMintAddress,
    movements: movementsWithUsers(view, instruction, at),
  });
  return resultOf(reading);
}

function decodeInitialize(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, raydiumAmmV4Layout.instructions.initialize);
  return readPoolCreatedAt({ ...at, lpMint: at.lpMintAddress }, view, instruction);
}

function decodeInitialize2(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, raydiumAmmV4Layout.instructions.initialize2);
  return readPoolCreatedAt(at, view, instruction);
}

function readPoolCreatedAt(
  at: Record<
    'amm' | 'lpMint' | 'poolCoinTokenAccount' | 'poolPcTokenAccount' | 'userWallet',
    number
  >,
  view: TransactionView,
  instruction: Instruction,
): DecodeResult {
  const accounts: LiquidityAccounts = {
    venue: 'raydium_amm_v4',
    pool: at.amm,
    vaults: [at.poolCoinTokenAccount, at.poolPcTokenAccount],
    provider: at.userWallet,
    lpMint: at.lpMint,
  };
  const reading = readPoolCreated(view, instruction, accounts);
  return resultOf(reading);
}
