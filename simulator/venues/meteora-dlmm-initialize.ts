import { SYSTEM_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import { paying, readOnly, signing, writable } from '../chain/account-use.ts';
import type { Execution } from '../chain/execution.ts';
import { InstructionBytes } from '../chain/instruction-bytes.ts';
import { createAccount } from '../programs/system.ts';
import { EMPTY_BIN } from './dlmm-bins.ts';
import {
  BINS_PER_ARRAY,
  type BinArrayState,
  DLMM_EVENT_AUTHORITY,
  type DlmmAccounts,
  METEORA_DLMM_PROGRAM,
  type PairState,
  POSITION_WIDTH,
  type PositionState,
} from './meteora-dlmm-accounts.ts';
import { createVault, type PoolPair, RENT_SYSVAR } from './pool-parts.ts';

const INITIALIZE_LB_PAIR_2 = '493b2478ed536cc6';
const INITIALIZE_BIN_ARRAY = '235613b94ed44bd3';
const INITIALIZE_POSITION_PDA = '2e527d92558de499';
const SELF_EVENT = 'e445a52e51cb9a1d';
const LB_PAIR_CREATE = 'b94afc7d1bd7bc6f';
const POSITION_CREATE = '908efc549d352579';
const PAIR_SPACE = 904;
const ORACLE_SPACE = 3_232;
const BIN_ARRAY_SPACE = 10_136;
const POSITION_SPACE = 8_120;

/** Emits an event: the program calls itself with it. */
export function emitDlmmEvent(execution: Execution, event: Uint8Array): void {
  const data = new InstructionBytes().hex(SELF_EVENT).raw(event).done();
  execution.invoke(METEORA_DLMM_PROGRAM, [readOnly(DLMM_EVENT_AUTHORITY)], data);
}

/** `initialize_lb_pair2`: an empty pool. */
export function initializePair(
  execution: Execution,
  at: DlmmAccounts,
  { baseMint, quoteMint }: PoolPair,
  binStep: number,
  funder: Address,
  activeId: number,
): void {
  const { ledger } = execution;
  const data = new InstructionBytes()
    .hex(INITIALIZE_LB_PAIR_2)
    .i32(activeId)
    .raw(new Uint8Array(96))
    .done();
  const absent = readOnly(METEORA_DLMM_PROGRAM);
  const uses = [
    ...[writable(at.pool), absent, readOnly(baseMint), readOnly(quoteMint)],
    ...[writable(at.reserveX), writable(at.reserveY), writable(at.oracle), readOnly(at.preset)],
    ...[paying(funder), absent, absent],
    ...[readOnly(ledger.get(baseMint).program), readOnly(ledger.get(quoteMint).program)],
    ...[readOnly(SYSTEM_PROGRAM), readOnly(DLMM_EVENT_AUTHORITY), absent],
  ];
  execution.invoke(METEORA_DLMM_PROGRAM, uses, data, () => {
    createAccount(execution, funder, at.pool, PAIR_SPACE, METEORA_DLMM_PROGRAM);
    createVault(execution, funder, at.reserveX, baseMint, at.pool);
    createVault(execution, funder, at.reserveY, quoteMint, at.pool);
    createAccount(execution, funder, at.oracle, ORACLE_SPACE, METEORA_DLMM_PROGRAM);
    const state: PairState = { activeId, feesXRaw: 0n, feesYRaw: 0n };
    execution.change(at.pool, { state });
    const event = new InstructionBytes().hex(LB_PAIR_CREATE).address(at.pool).u16(binStep);
    emitDlmmEvent(execution, event.address(baseMint).address(quoteMint).done());
  });
}

/** `initialize_bin_array` unless the array exists. */
export function ensureBinArray(
  execution: Execution,
  at: DlmmAccounts,
  funder: Address,
  index: number,
): void {
  const array = at.binArray(index);
  if (execution.ledger.get(array).state !== null) return;
  const data = new InstructionBytes().hex(INITIALIZE_BIN_ARRAY).i64(BigInt(index)).done();
  const uses = [readOnly(at.pool), writable(array), paying(funder), readOnly(SYSTEM_PROGRAM)];
  execution.invoke(METEORA_DLMM_PROGRAM, uses, data, () => {
    createAccount(execution, funder, array, BIN_ARRAY_SPACE, METEORA_DLMM_PROGRAM);
    const bins = Array.from({ length: BINS_PER_ARRAY }, () => EMPTY_BIN);
    execution.change(array, { state: { bins } satisfies BinArrayState });
  });
}

/** `initialize_position_pda` unless the position exists. */
export function ensurePosition(
  execution: Execution,
  at: DlmmAccounts,
  position: Address,
  owner: Address,
  lowerBinId: number,
): void {
  if (execution.ledger.get(position).state !== null) return;
  const data = new InstructionBytes()
    .hex(INITIALIZE_POSITION_PDA)
    .i32(lowerBinId)
    .i32(POSITION_WIDTH)
    .done();
  const uses = [
    ...[paying(owner), signing(owner), writable(position), readOnly(at.pool), signing(owner)],
    ...[readOnly(SYSTEM_PROGRAM), readOnly(RENT_SYSVAR)],
    ...[readOnly(DLMM_EVENT_AUTHORITY), readOnly(METEORA_DLMM_PROGRAM)],
  ];
  execution.invoke(METEORA_DLMM_PROGRAM, uses, data, () => {
    createAccount(execution, owner, position, POSITION_SPACE, METEORA_DLMM_PROGRAM);
    const shares = Array.from({ length: POSITION_WIDTH }, () => 0n);
    execution.change(position, { state: { lowerBinId, shares } satisfies PositionState });
    const event = new InstructionBytes().hex(POSITION_CREATE).address(at.pool);
    emitDlmmEvent(execution, event.address(position).address(owner).done());
  });
}
