import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { readSwap } from '../legs/swap-legs.ts';
import { accountsOf } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/** Accounts of an initialisation. */
interface InitializeAccounts {
  readonly pool: number;
  readonly tokenA: number;
  readonly tokenB: number;
  readonly poolMint: number;
  /** Receives the first pool tokens. */
  readonly destination: number;
}

/** Accounts of a deposit or a withdrawal. */
interface LiquidityAccounts {
  readonly pool: number;
  readonly userTransferAuthority: number;
  readonly tokenA: number;
  readonly tokenB: number;
  readonly poolMint: number;
}

/**
 * The instructions of a token-swap program except `Swap`, which is the same in the whole family.
 */
export interface TokenSwapProgram {
  readonly initialize: InitializeAccounts;
  /** Deposits and withdrawals by tag. */
  readonly liquidity: Readonly<Record<number, LiquidityAccounts>>;
  readonly ignoredTags: readonly number[];
}

const INITIALIZE_TAG = 0;
const SWAP_TAG = 1;
const SWAP_ACCOUNTS = {
  pool: 0,
  userTransferAuthority: 2,
  source: 3,
  swapSource: 4,
  swapDestination: 5,
  destination: 6,
};
const DEPOSIT = { pool: 0, userTransferAuthority: 2, tokenA: 5, tokenB: 6, poolMint: 7 };
const DEPOSIT_ONE = { pool: 0, userTransferAuthority: 2, tokenA: 4, tokenB: 5, poolMint: 6 };
const WITHDRAW = { pool: 0, userTransferAuthority: 2, poolMint: 3, tokenA: 5, tokenB: 6 };

/**
 * The token-swap program of the Solana program library (`SwapInstruction`), deployed by many
 * exchanges.
 */
export const SPL_TOKEN_SWAP: TokenSwapProgram = {
  initialize: { pool: 0, tokenA: 2, tokenB: 3, poolMint: 4, destination: 6 },
  liquidity: { 2: DEPOSIT, 3: WITHDRAW, 4: DEPOSIT_ONE, 5: WITHDRAW },
  ignoredTags: [],
};

/**
 * Saber's stable swap (`stable-swap-client/src/instruction.rs`). Tag 4 withdraws one token; tags
 * from 100 on are administrative.
 */
export const SABER_STABLE_SWAP: TokenSwapProgram = {
  initialize: { pool: 0, tokenA: 6, tokenB: 8, poolMint: 9, destination: 10 },
  liquidity: { 2: DEPOSIT, 3: WITHDRAW, 4: WITHDRAW },
  ignoredTags: [100, 101, 102, 103, 104, 105, 106, 107],
};

/**
 * The decoder of one deployment of a token-swap program.
 *
 * There is no interface file: tags and account orders are from the published sources. Newer builds
 * append mints and token programs to the accounts, which does not shift those read here. Amounts
 * are read from the transfers between the instruction and the two vaults. Fees are minted as pool
 * tokens or, with Saber, sent from the paying vault, so they leave the pool either way.
 */
export function tokenSwapDecoder(
  venue: Venue,
  programId: Address,
  program: TokenSwapProgram,
): Decoder {
  const ignoredTags = new Set(program.ignoredTags);
  return {
    name: venue,
    programId,
    isVenue: true,
    decode(instruction, view) {
      const tag = instruction.data[0];
      if (tag === undefined) return unknown(instruction.data, 1);
      if (tag === SWAP_TAG) return decodeSwap(venue, instruction, view);
      if (tag === INITIALIZE_TAG) {
        return decodeInitialize(venue, program.initialize, instruction, view);
      }
      const liquidity = program.liquidity[tag];
      if (liquidity !== undefined) return decodeLiquidity(venue, liquidity, instruction, view);
      return ignoredTags.has(tag) ? IGNORED : unknown(instruction.data, 1);
    },
  };
}

function decodeSwap(venue: Venue, instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, { accounts: SWAP_ACCOUNTS });
  const reading = readSwap(view, instruction, {
    venue,
    pool: at.pool,
    vaults: [at.swapSource, at.swapDestination],
    user: at.userTransferAuthority,
    userAccounts: [at.source, at.destination],
  });
  return resultOf(reading);
}

function decodeLiquidity(
  venue: Venue,
  accounts: LiquidityAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, { accounts: { ...accounts } });
  const reading = readLiquidity(view, instruction, {
    venue,
    pool: at.pool,
    vaults: [at.tokenA, at.tokenB],
    provider: at.userTransferAuthority,
    lpMint: at.poolMint,
  });
  return resultOf(reading);
}

/**
 * The vaults were filled beforehand. The creator is the owner that receives the first pool tokens.
 */
function decodeInitialize(
  venue: Venue,
  accounts: InitializeAccounts,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  const at = accountsOf(instruction, { accounts: { ...accounts } });
  const reading = readPoolCreated(view, instruction, {
    venue,
    pool: at.pool,
    vaults: [at.tokenA, at.tokenB],
    provider: FIRST_SIGNER,
    lpMint: at.poolMint,
  });
  if (reading.status !== 'event') return resultOf(reading);
  const owner = view.tokenAccount(at.destination)?.owner ?? null;
  return events(owner === null ? reading.event : { ...reading.event, creator: owner });
}

const FIRST_SIGNER = 0;
