/**
 * Mercurial stable pools of two to four tokens, program MERLuDFB….
 *
 * There is no interface file: tags and account orders are from the published source
 * (`stable-swap-n-pool-instructions/src/instruction.rs`), where an instruction lists as many vaults
 * as its pool has tokens. An exchange is between the two vaults that moved. Liquidity of two-token
 * pools is read; that of larger pools is ignored, since an event covers only one pair.
 */
import type { Instruction } from '../../model/instruction.ts';
import { asAddress } from '../../model/units.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { deltaOf, readSwap } from '../legs/swap-legs.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

const TAG = {
  initialize: 0,
  addLiquidity: 1,
  removeLiquidity: 2,
  removeLiquidityOneToken: 3,
  exchange: 4,
  getVirtualPrice: 5,
} as const;

/** Positions before the vaults, the same in all instructions except `initialize`. */
const POOL = 0;
const USER_TRANSFER_AUTHORITY = 3;
const FIRST_VAULT = 4;
/** Number of vaults of the pools whose liquidity is read. */
const PAIR = 2;

export const mercurial: Decoder = {
  name: 'mercurial',
  programId: asAddress('MERLuDFBMmsHnsBPZw2sDQZHvXFMwp8EdjudcU2HKky'),
  isVenue: true,
  decode(instruction, view) {
    const count = instruction.accountCount;
    switch (instruction.data[0]) {
      case TAG.exchange:
        return decodeExchange(instruction, view);
      case TAG.addLiquidity:
      case TAG.removeLiquidity:
        // After the vaults: the pool mint, a user account for each vault, the user's pool tokens.
        return decodeLiquidity((count - FIRST_VAULT - 2) / 2, instruction, view);
      case TAG.removeLiquidityOneToken:
        // After the vaults: the pool mint, the user's account, the user's pool tokens.
        return decodeLiquidity(count - FIRST_VAULT - 3, instruction, view);
      case TAG.initialize:
        return decodeInitialize(instruction, view);
      case TAG.getVirtualPrice:
        return IGNORED;
      default:
        return unknown(instruction.data, 1);
    }
  },
};

/** After the vaults: the user's source and destination accounts. */
function decodeExchange(instruction: Instruction, view: TransactionView): DecodeResult {
  const source = instruction.accountCount - 2;
  if (source < FIRST_VAULT + PAIR) return malformed('too few accounts');
  const movements = view.tokenMovementsUnder(instruction);
  const paid: number[] = [];
  const got: number[] = [];
  for (let position = FIRST_VAULT; position < source; position++) {
    const vault = instruction.accountIndex(position);
    const delta = deltaOf(movements, vault);
    if (delta > 0n) paid.push(vault);
    if (delta < 0n) got.push(vault);
  }
  const [input, output] = [paid[0], got[0]];
  if (input === undefined && output === undefined) return IGNORED;
  if (input === undefined || output === undefined) return malformed('only one vault moved');
  if (paid.length + got.length > PAIR) return malformed('more than two vaults moved');
  const reading = readSwap(view, instruction, {
    venue: 'mercurial',
    pool: instruction.accountIndex(POOL),
    vaults: [input, output],
    user: instruction.accountIndex(USER_TRANSFER_AUTHORITY),
    userAccounts: [instruction.accountIndex(source), instruction.accountIndex(source + 1)],
  });
  return resultOf(reading);
}

function decodeLiquidity(
  vaultCount: number,
  instruction: Instruction,
  view: TransactionView,
): DecodeResult {
  if (!Number.isInteger(vaultCount) || vaultCount < PAIR) {
    return malformed(`liquidity with ${instruction.accountCount} accounts`);
  }
  if (vaultCount > PAIR) return IGNORED;
  const reading = readLiquidity(view, instruction, {
    venue: 'mercurial',
    pool: instruction.accountIndex(POOL),
    vaults: [instruction.accountIndex(FIRST_VAULT), instruction.accountIndex(FIRST_VAULT + 1)],
    provider: instruction.accountIndex(USER_TRANSFER_AUTHORITY),
    lpMint: instruction.accountIndex(FIRST_VAULT + PAIR),
  });
  return resultOf(reading);
}

/** Pool, authority, the vaults, their mints, the pool mint, the administrator's mint. */
function decodeInitialize(instruction: Instruction, view: TransactionView): DecodeResult {
  const vaultCount = (instruction.accountCount - 4) / 2;
  if (!Number.isInteger(vaultCount) || vaultCount < PAIR) {
    return malformed(`initialisation with ${instruction.accountCount} accounts`);
  }
  if (vaultCount > PAIR) return IGNORED;
  const reading = readPoolCreated(view, instruction, {
    venue: 'mercurial',
    pool: instruction.accountIndex(POOL),
    vaults: [instruction.accountIndex(2), instruction.accountIndex(3)],
    provider: FIRST_SIGNER,
    lpMint: instruction.accountIndex(2 + 2 * PAIR),
  });
  return reading.status === 'event' ? events(reading.event) : IGNORED;
}

/** The instruction names no wallet. */
const FIRST_SIGNER = 0;
