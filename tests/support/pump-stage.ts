import type { Execution } from '../../simulator/chain/execution.ts';
import { Keyring } from '../../simulator/chain/keyring.ts';
import { Ledger } from '../../simulator/chain/ledger.ts';
import { runTransaction } from '../../simulator/chain/run-transaction.ts';
import type { SimulatedTransaction } from '../../simulator/chain/simulated-transaction.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { TokenAccounts } from '../../simulator/programs/associated-token.ts';
import { Random } from '../../simulator/random/random.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';

export const SOL = 1_000_000_000n;

/** A ledger with wrapped SOL, and the transactions that ran on it in order. */
export class PumpStage {
  readonly ledger = new Ledger();
  readonly keyring: Keyring;
  readonly tokenAccounts: TokenAccounts;
  readonly transactions: SimulatedTransaction[] = [];
  /** The executed transactions, with the accounts of each instruction. */
  readonly executions: Execution[] = [];
  slot = 400_000_000;

  constructor(seed: string) {
    this.keyring = new Keyring(new Random(seed));
    this.tokenAccounts = new TokenAccounts(this.keyring);
    const mint = {
      decimals: 9,
      supplyRaw: 0n,
      mintAuthority: null,
      freezeAuthority: null,
      transferFee: null,
    };
    this.ledger.set(WRAPPED_SOL, {
      lamports: 1n,
      program: SPL_TOKEN_PROGRAM,
      mint,
      token: null,
      state: null,
    });
  }

  /** A wallet with lamports. */
  wallet(lamports: bigint): Address {
    const address = this.keyring.wallet();
    this.ledger.set(address, { ...this.ledger.get(address), lamports });
    return address;
  }

  /** Runs one transaction. Throws Error when the payer has no lamports for its fee. */
  run(
    feePayer: Address,
    build: (execution: Execution) => void,
    signers: readonly Address[] = [],
  ): SimulatedTransaction {
    const clock = { slot: this.slot++, unixTime: 1_785_000_000 };
    const landed = runTransaction(this.ledger, clock, {
      signatures: [feePayer, ...signers].map(() => this.keyring.signature()),
      feePayer,
      recentBlockhash: this.keyring.blockhash(),
      computeBudget: null,
      tables: null,
      build: (execution) => {
        this.executions.push(execution);
        build(execution);
      },
    });
    if (landed === null) throw new Error('the payer cannot pay the fee');
    this.transactions.push(landed.transaction);
    return landed.transaction;
  }

  /** Runs one that must succeed: throws Error with its logs otherwise. */
  succeed(...call: Parameters<PumpStage['run']>): SimulatedTransaction {
    const transaction = this.run(...call);
    if (transaction.error !== null) throw new Error(transaction.logs.join('\n'));
    return transaction;
  }

  /** The code that the last transaction failed with, or null. */
  get failureCode(): number | null {
    const error = this.transactions.at(-1)?.error ?? null;
    return error !== null && 'InstructionError' in error ? error.InstructionError[1].Custom : null;
  }

  /** Decoded facts of everything that ran. */
  decode(): SlotFacts {
    return decodeBlock(
      toChainBlock({
        slot: this.slot,
        parentSlot: this.slot - 1,
        blockHeight: 1,
        blockhash: this.keyring.blockhash(),
        previousBlockhash: this.keyring.blockhash(),
        blockTime: 1_785_000_000,
        leader: this.keyring.account(),
        transactions: this.transactions,
      }),
    );
  }

  /** Lamports of all accounts, and those paid in fees. */
  lamportsInAll(): bigint {
    let sum = 0n;
    for (const [, { lamports }] of this.ledger.entries()) sum += lamports;
    for (const { feeLamports } of this.transactions) sum += feeLamports;
    return sum;
  }

  /** Tokens of a mint in all accounts. */
  tokensInAll(mint: Address): bigint {
    let sum = 0n;
    for (const [, { token }] of this.ledger.entries()) {
      if (token?.mint === mint) sum += token.amountRaw + token.withheldRaw;
    }
    return sum;
  }
}
