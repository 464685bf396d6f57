import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { Address } from '../../model/units.ts';
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
import { readSwap } from '../legs/swap-legs.ts';
import {
  type InstructionLayout,
  instructionTable,
  type ProgramLayout,
} from '../transaction/program-layout.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

/**
 * Readers of the instructions of Raydium's concentrated-liquidity program and its forks, by name.
 */
const READERS: Readonly<Record<string, Reader>> = {
  swap: decodeSwap,
  swap_v2: decodeSwap,
  swap_v3_dyn: decodeSwap,
  swap_router_base_in: decodeRoute,
  open_position: decodeLiquidity,
  open_position_v2: decodeLiquidity,
  open_position_with_token22_nft: decodeLiquidity,
  increase_liquidity: decodeLiquidity,
  increase_liquidity_v2: decodeLiquidity,
  decrease_liquidity: decodeLiquidity,
  decrease_liquidity_v2: decodeLiquidity,
  create_pool: decodeCreatePool,
  create_pool_decay_fee: decodeCreatePool,
};

type Reader = (call: Call) => DecodeResult;

/** One instruction to read, with the layout of its accounts. */
interface Call {
  readonly venue: Venue;
  readonly instruction: Instruction;
  readonly view: TransactionView;
  readonly layout: InstructionLayout;
}

/**
 * The decoder of Raydium's concentrated-liquidity program or of a fork of it. The layout lists the
 * readable instructions that the program has and the positions of their accounts.
 *
 * Swaps and position changes are read from the transfers between the instruction and the two
 * vaults. The program's own events are written to the log, which may be truncated, and are not
 * needed. Positions are not LP tokens, and the vault changes of a withdrawal include the fees paid
 * out with it. A pool is created empty; its first position adds the first liquidity.
 */
export function clmmDecoder(venue: Venue, programId: Address, layout: ProgramLayout): Decoder {
  const table = instructionTable(layout);
  return {
    name: venue,
    programId,
    isVenue: true,
    decode(instruction, view) {
      const name = table.get(instruction.data);
      if (name === undefined) return unknown(instruction.data, 8);
      const found = layout.instructions[name];
      const reader = READERS[name];
      if (found === undefined || reader === undefined) return IGNORED;
      return reader({ venue, instruction, view, layout: found });
    },
  };
}

/** Key index of an account by its name in the interface, -1 when it has none. */
function indexOf({ instruction, layout }: Call, account: string): number {
  const position = layout.accounts[account];
  return position === undefined ? -1 : instruction.accountIndex(position);
}

/** The signing wallet, under whichever of its names the instruction uses. */
function walletOf(call: Call): number {
  const names = ['payer', 'nft_owner', 'pool_creator'];
  return Math.max(...names.map((name) => indexOf(call, name)));
}

function decodeSwap(call: Call): DecodeResult {
  const reading = readSwap(call.view, call.instruction, {
    venue: call.venue,
    pool: indexOf(call, 'pool_state'),
    vaults: [indexOf(call, 'input_vault'), indexOf(call, 'output_vault')],
    user: walletOf(call),
    userAccounts: [indexOf(call, 'input_token_account'), indexOf(call, 'output_token_account')],
  });
  return resultOf(reading);
}

/**
 * One instruction that swaps on several pools. Each hop makes two transfers, one into its input
 * vault and one out of its output vault, and lists its accounts after the instruction's own in a
 * fixed order. A hop has the position of the transfer that pays it out, so no two events share a
 * position.
 */
function decodeRoute(call: Call): DecodeResult {
  const { instruction, view, venue } = call;
  const transfers = view
    .tokenMovementsUnder(instruction)
    .filter((movement) => movement.kind === 'transfer');
  if (transfers.length % 2 !== 0) return malformed('a hop without two transfers');
  const router = view.routerOf(instruction);
  const swaps = [];
  for (let index = 0; index < transfers.length; index += 2) {
    const [paid, got] = transfers.slice(index, index + 2) as [TokenMovement, TokenMovement];
    const hop = hopAccounts(instruction, paid.destination, got.source);
    if (hop === null) return malformed('a hop between unnamed vaults');
    const reading = readSwap(view, got.instruction, {
      venue,
      pool: hop.pool,
      vaults: [paid.destination, got.source],
      user: walletOf(call),
      userAccounts: [paid.source, hop.outputAccount],
      movements: [paid, got],
    });
    if (reading.status === 'malformed') return reading;
    if (reading.status === 'event') swaps.push({ ...reading.event, router });
  }
  return swaps.length === 0 ? IGNORED : events(...swaps);
}

/**
 * A hop lists its pool, the user's output account, the input vault and the output vault, in this
 * order.
 */
function hopAccounts(
  instruction: Instruction,
  inputVault: number,
  outputVault: number,
): { pool: number; outputAccount: number } | null {
  for (let position = 2; position + 1 < instruction.accountCount; position++) {
    if (instruction.accountIndex(position) !== inputVault) continue;
    if (instruction.accountIndex(position + 1) !== outputVault) continue;
    return {
      pool: instruction.accountIndex(position - 2),
      outputAccount: instruction.accountIndex(position - 1),
    };
  }
  return null;
}

function decodeLiquidity(call: Call): DecodeResult {
  const reading = readLiquidity(call.view, call.instruction, liquidityAccounts(call));
  return resultOf(reading);
}

/**
 * Nodes list the new vaults among the balances, with amount 0. Without them the decimals of the
 * mints are unknown, and the pool is first recorded with its first position or swap.
 */
function decodeCreatePool(call: Call): DecodeResult {
  const accounts = liquidityAccounts(call);
  if (Math.min(...accounts.vaults) < 0) return malformed('too few accounts');
  const reading = readPoolCreated(call.view, call.instruction, accounts);
  return reading.status === 'event' ? events(reading.event) : IGNORED;
}

function liquidityAccounts(call: Call) {
  return {
    venue: call.venue,
    pool: indexOf(call, 'pool_state'),
    vaults: [indexOf(call, 'token_vault_0'), indexOf(call, 'token_vault_1')],
    provider: walletOf(call),
    lpMint: -1,
  } as const;
}
