import type { Venue } from '../../model/program.ts';
import { type DecodeResult, type Decoder, events, resultOf } from '../legs/decoder.ts';
import { readPoolCreated } from '../legs/liquidity-legs.ts';
import { liquidity, swap } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder } from '../legs/program-decoder.ts';
import type { ProgramLayout } from '../transaction/program-layout.ts';

const SWAP = {
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
 * exchanges. The `destination` of an initialisation receives the first pool tokens.
 */
export const splTokenSwapLayout = {
  instructions: {
    initialize: {
      discriminator: '00',
      accounts: { pool: 0, tokenA: 2, tokenB: 3, poolMint: 4, destination: 6 },
    },
    swap: { discriminator: '01', accounts: SWAP },
    deposit: { discriminator: '02', accounts: DEPOSIT },
    withdraw: { discriminator: '03', accounts: WITHDRAW },
    depositOne: { discriminator: '04', accounts: DEPOSIT_ONE },
    withdrawOne: { discriminator: '05', accounts: WITHDRAW },
  },
  ignoredInstructions: {},
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

const { swap: swapInstruction, deposit, withdraw } = splTokenSwapLayout.instructions;
const shared = { swap: swapInstruction, deposit, withdraw };

/** Saber's stable swap (`stable-swap-client/src/instruction.rs`). */
export const saberStableSwapLayout = {
  instructions: {
    initialize: {
      discriminator: '00',
      accounts: { pool: 0, tokenA: 6, tokenB: 8, poolMint: 9, destination: 10 },
    },
    ...shared,
    withdrawOne: { discriminator: '04', accounts: WITHDRAW },
  },
  ignoredInstructions: {
    rampA: '64',
    stopRampA: '65',
    pause: '66',
    unpause: '67',
    setFeeAccount: '68',
    applyNewAdmin: '69',
    commitNewAdmin: '6a',
    setNewFees: '6b',
  },
  events: {},
  ignoredEvents: {},
} satisfies ProgramLayout;

const LIQUIDITY = liquidity({
  pool: 'pool',
  vaults: ['tokenA', 'tokenB'],
  provider: 'userTransferAuthority',
  lpMint: 'poolMint',
});

const READERS = {
  initialize: decodeInitialize,
  swap: swap({
    pool: 'pool',
    vaults: ['swapSource', 'swapDestination'],
    user: 'userTransferAuthority',
    userAccounts: ['source', 'destination'],
  }),
  deposit: LIQUIDITY,
  depositOne: LIQUIDITY,
  withdraw: LIQUIDITY,
  withdrawOne: LIQUIDITY,
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
  name: Venue,
  programId: string,
  layout: typeof splTokenSwapLayout | typeof saberStableSwapLayout,
): Decoder {
  return venueDecoder({
    name,
    programId,
    layout,
    hasPublishedInterface: false,
    readers: READERS,
  });
}

/**
 * The vaults were filled beforehand. The creator is the owner that receives the first pool tokens.
 */
function decodeInitialize({
  name,
  at,
  instruction,
  view,
}: ProgramCall<'pool' | 'tokenA' | 'tokenB' | 'poolMint' | 'destination'>): DecodeResult {
  const reading = readPoolCreated(view, instruction, {
    venue: name,
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
