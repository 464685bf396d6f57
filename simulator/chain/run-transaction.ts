import type { Address, Signature } from '../../src/model/units.ts';
import { compileMessage, type LookupTable } from './compile-message.ts';
import { setComputeUnitLimit, setComputeUnitPrice } from './compute-budget.ts';
import { type ChainClock, Execution } from './execution.ts';
import { type Account, type Journal, type Ledger, MissingAccount } from './ledger.ts';
import type {
  SimulatedError,
  SimulatedTokenBalance,
  SimulatedTransaction,
} from './simulated-transaction.ts';

/** Fee per signature. */
export const SIGNATURE_FEE_LAMPORTS = 5_000n;

/** A transaction as submitted. The same request may run again on another branch. */
export interface TransactionRequest {
  /** One per signer, the payer's first. */
  readonly signatures: readonly Signature[];
  readonly feePayer: Address;
  readonly recentBlockhash: string;
  /** Null omits the compute budget instructions. */
  readonly computeBudget: ComputeBudget | null;
  /** Tables from which a v0 message may load keys; null makes it a legacy message. */
  readonly tables: readonly LookupTable[] | null;
  readonly isVote?: boolean;
  /** Invokes the outer instructions in order. */
  readonly build: (execution: Execution) => void;
}

export interface ComputeBudget {
  readonly unitLimit: number;
  readonly priceMicroLamports: bigint;
}

export interface LandedTransaction {
  readonly transaction: SimulatedTransaction;
  /** Undoes the changes of the transaction. */
  readonly journal: Journal;
}

/**
 * Runs a transaction on the ledger. A failed one only pays its fee. Null if it cannot be included:
 * the payer cannot pay even the fee, or an instruction would use an account that does not exist, so
 * the transaction could not be built. Throws RangeError when the number of signatures is wrong.
 */
export function runTransaction(
  ledger: Ledger,
  clock: ChainClock,
  request: TransactionRequest,
): LandedTransaction | null {
  const feeLamports = feeOf(request);
  if (ledger.get(request.feePayer).lamports < feeLamports) return null;
  const execution = new Execution(ledger, clock);
  ledger.begin();
  execution.changeLamports(request.feePayer, -feeLamports);
  const isWhole = isBuilt(execution, request);
  sweep(ledger, execution);
  let journal = ledger.end();
  if (!isWhole && !isSignedByAll(execution, request)) {
    ledger.undo(journal);
    return null;
  }
  if (execution.failure !== null) {
    ledger.undo(journal);
    ledger.begin();
    execution.changeLamports(request.feePayer, -feeLamports);
    journal = ledger.end();
  }
  return { transaction: describe(ledger, journal, execution, request, feeLamports), journal };
}

/** Returns false if building stopped at an instruction that cannot be constructed. */
function isBuilt(execution: Execution, request: TransactionRequest): boolean {
  const { computeBudget } = request;
  if (computeBudget !== null) {
    setComputeUnitLimit(execution, computeBudget.unitLimit);
    setComputeUnitPrice(execution, computeBudget.priceMicroLamports);
  }
  try {
    request.build(execution);
    return true;
  } catch (error) {
    if (error instanceof MissingAccount) return false;
    throw error;
  }
}

/**
 * If building stops after a failure, the transaction lands without its remaining instructions,
 * unless those would have had other signers. If it stops without a failure, nothing is sent.
 */
function isSignedByAll(
  { failure, instructions }: Execution,
  { feePayer, signatures }: TransactionRequest,
): boolean {
  if (failure === null) return false;
  const { header } = compileMessage(feePayer, instructions, []);
  return header.requiredSignatures === signatures.length;
}

/** Lamports for the signatures plus, rounded up, the priority fee of the requested units. */
function feeOf({ signatures, computeBudget }: TransactionRequest): bigint {
  const base = SIGNATURE_FEE_LAMPORTS * BigInt(signatures.length);
  if (computeBudget === null) return base;
  const micro = BigInt(computeBudget.unitLimit) * computeBudget.priceMicroLamports;
  return base + (micro + 999_999n) / 1_000_000n;
}

/** Accounts left without lamports cease to exist. */
function sweep(ledger: Ledger, execution: Execution): void {
  for (const { accounts } of execution.instructions) {
    for (const { address } of accounts) {
      if (ledger.has(address) && ledger.get(address).lamports === 0n) ledger.set(address, null);
    }
  }
}

function describe(
  ledger: Ledger,
  journal: Journal,
  execution: Execution,
  request: TransactionRequest,
  feeLamports: bigint,
): SimulatedTransaction {
  const { keys, ...message } = compileMessage(
    request.feePayer,
    execution.instructions,
    request.tables ?? [],
  );
  if (message.header.requiredSignatures !== request.signatures.length) {
    throw new RangeError(
      `${request.signatures.length} signatures for ${message.header.requiredSignatures} signers`,
    );
  }
  const before = keys.map((key) => accountBefore(ledger, journal, key));
  const after = keys.map((key) => ledger.get(key));
  return {
    ...message,
    signatures: request.signatures,
    version: request.tables === null ? 'legacy' : 0,
    isVote: request.isVote ?? false,
    recentBlockhash: request.recentBlockhash,
    error: errorOf(execution),
    feeLamports,
    computeUnitsUsed: execution.unitsUsed,
    lamportsBefore: before.map((account) => account?.lamports ?? 0n),
    lamportsAfter: after.map(({ lamports }) => lamports),
    tokenBalances: balancesOf(ledger, before, after),
    logs: execution.logs,
    facts: execution.failure === null ? execution.facts : [],
  };
}

function accountBefore(ledger: Ledger, journal: Journal, key: Address): Account | undefined {
  return journal.has(key) ? journal.get(key) : ledger.get(key);
}

function errorOf({ failure }: Execution): SimulatedError | null {
  return failure === null
    ? null
    : { InstructionError: [failure.outerIx, { Custom: failure.code }] };
}

function balancesOf(
  ledger: Ledger,
  before: readonly (Account | undefined)[],
  after: readonly Account[],
): SimulatedTokenBalance[] {
  const balances: SimulatedTokenBalance[] = [];
  after.forEach((account, accountIndex) => {
    const old = before[accountIndex]?.token ?? null;
    const token = account.token ?? old;
    if (token === null) return;
    const mint = ledger.get(token.mint);
    balances.push({
      accountIndex,
      mint: token.mint,
      owner: token.owner,
      tokenProgram: mint.program,
      decimals: mint.mint?.decimals ?? 0,
      beforeRaw: old?.amountRaw ?? null,
      afterRaw: account.token?.amountRaw ?? null,
    });
  });
  return balances;
}
