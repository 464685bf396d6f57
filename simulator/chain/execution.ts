import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../src/model/program.ts';
import type { Address } from '../../src/model/units.ts';
import type { AccountUse } from './account-use.ts';
import { type Account, type Ledger, MissingAccount } from './ledger.ts';
import type { MarketFact } from './market-fact.ts';

/** An executed instruction, in execution order, followed by the instructions it called. */
export interface ExecutedInstruction {
  readonly outerIx: number;
  /** Position among the inner instructions of `outerIx`; -1 for the outer one. */
  readonly innerIx: number;
  /** 1 for outer instructions. */
  readonly stackHeight: number;
  readonly program: Address;
  readonly accounts: readonly AccountUse[];
  readonly data: Uint8Array;
}

/** Thrown by a program: the transaction fails on chain with this custom error code. */
export class ProgramFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ProgramFailure';
    this.code = code;
  }
}

/** InsufficientFunds of the token program, and of the system program for lamports. */
export const INSUFFICIENT_FUNDS = 1;

/** Anchor's AccountNotInitialized. */
export const MISSING_ACCOUNT = 3_012;

/** Compute units of programs that do not specify any: metering is not simulated. */
const UNITS_PER_CALL = 4_500;

/** Programs built into the runtime: each call has a fixed cost, which the log does not show. */
const BUILTIN_UNITS: ReadonlyMap<Address, number> = new Map([
  [SYSTEM_PROGRAM, 150],
  [COMPUTE_BUDGET_PROGRAM, 150],
  [VOTE_PROGRAM, 2_100],
]);

/** The clock as programs see it. */
export interface ChainClock {
  readonly slot: number;
  /** Seconds since 1970. */
  readonly unixTime: number;
}

/**
 * One running transaction. Programs call each other through `invoke` and change accounts through
 * the methods below it, which never leave a balance negative.
 */
export class Execution {
  readonly ledger: Ledger;
  readonly clock: ChainClock;
  readonly instructions: ExecutedInstruction[] = [];
  readonly logs: string[] = [];
  readonly facts: MarketFact[] = [];
  unitsUsed = 0;
  /** The outer instruction that failed, with the error code of the program that rejected it. */
  failure: { readonly outerIx: number; readonly code: number } | null = null;
  private refusal: ProgramFailure | null = null;
  private height = 0;
  private outerIx = -1;
  private innerCount = 0;

  constructor(ledger: Ledger, clock: ChainClock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  /**
   * Runs an instruction: an outer one at the top level, an inner one inside another instruction.
   * Outer instructions after a failed one are part of the message but do not run.
   */
  invoke(
    program: Address,
    accounts: readonly AccountUse[],
    data: Uint8Array,
    body: () => void = nothing,
  ): void {
    if (this.height === 0) this.invokeOuter(program, accounts, data, body);
    else this.run(program, accounts, data, body, this.innerCount++);
  }

  private invokeOuter(
    program: Address,
    accounts: readonly AccountUse[],
    data: Uint8Array,
    body: () => void,
  ): void {
    this.outerIx++;
    this.innerCount = 0;
    if (this.failure !== null) {
      this.record(program, accounts, data, -1);
      return;
    }
    try {
      this.run(program, accounts, data, body, -1);
    } catch (error) {
      if (!(error instanceof ProgramFailure)) throw error;
      this.failure = { outerIx: this.outerIx, code: error.code };
      this.height = 0;
    }
  }

  private run(
    program: Address,
    accounts: readonly AccountUse[],
    data: Uint8Array,
    body: () => void,
    innerIx: number,
  ): void {
    this.height++;
    this.record(program, accounts, data, innerIx);
    this.logs.push(`Program ${program} invoke [${this.height}]`);
    try {
      body();
    } catch (error) {
      throw this.failing(program, error);
    }
    this.meter(program);
    this.logs.push(`Program ${program} success`);
    this.height--;
  }

  private meter(program: Address): void {
    const builtin = BUILTIN_UNITS.get(program);
    this.unitsUsed += builtin ?? UNITS_PER_CALL;
    if (builtin === undefined) {
      this.logs.push(`Program ${program} consumed ${UNITS_PER_CALL} of 200000 compute units`);
    }
  }

  /**
   * Each program on the call stack logs that it failed; the one that threw logs the reason first.
   */
  private failing(program: Address, error: unknown): unknown {
    const failure =
      error instanceof MissingAccount ? new ProgramFailure(MISSING_ACCOUNT, error.message) : error;
    if (!(failure instanceof ProgramFailure)) return failure;
    if (this.refusal !== failure) this.log(`Error: ${failure.message}`);
    this.refusal = failure;
    this.meter(program);
    this.logs.push(`Program ${program} failed: custom program error: 0x${hexOf(failure.code)}`);
    return failure;
  }

  private record(
    program: Address,
    accounts: readonly AccountUse[],
    data: Uint8Array,
    innerIx: number,
  ): void {
    const { outerIx } = this;
    const stackHeight = innerIx < 0 ? 1 : this.height;
    this.instructions.push({ outerIx, innerIx, stackHeight, program, accounts, data });
  }

  log(message: string): void {
    this.logs.push(`Program log: ${message}`);
  }

  /** An event that a program writes to the log, as Anchor's `emit!` does. */
  logData(bytes: Uint8Array): void {
    this.logs.push(`Program data: ${Buffer.from(bytes).toString('base64')}`);
  }

  /** Records what the running venue did. Discarded when the transaction fails. */
  report(fact: MarketFact): void {
    this.facts.push(fact);
  }

  /** Moves lamports without an instruction, as a program may do with accounts it owns. */
  moveLamports(from: Address, to: Address, lamports: bigint): void {
    this.changeLamports(from, -lamports);
    this.changeLamports(to, lamports);
  }

  changeLamports(address: Address, change: bigint): void {
    const account = this.ledger.get(address);
    const lamports = account.lamports + change;
    if (lamports < 0n) throw new ProgramFailure(INSUFFICIENT_FUNDS, 'insufficient lamports');
    this.ledger.set(address, { ...account, lamports });
  }

  changeTokens(address: Address, change: bigint): void {
    const account = this.ledger.get(address);
    const token = this.ledger.token(address);
    const amountRaw = token.amountRaw + change;
    if (amountRaw < 0n) throw new ProgramFailure(INSUFFICIENT_FUNDS, 'insufficient funds');
    this.ledger.set(address, { ...account, token: { ...token, amountRaw } });
  }

  /** Replaces parts of an account. */
  change(address: Address, parts: Partial<Account>): void {
    this.ledger.set(address, { ...this.ledger.get(address), ...parts });
  }
}

function hexOf(code: number): string {
  return code.toString(16);
}

function nothing(): void {
  // An instruction without effect on accounts.
}
