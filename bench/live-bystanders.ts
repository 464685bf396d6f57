import { type AccountUse, paying, readOnly, writable } from '../simulator/chain/account-use.ts';
import type { Execution } from '../simulator/chain/execution.ts';
import { Keyring } from '../simulator/chain/keyring.ts';
import { Ledger } from '../simulator/chain/ledger.ts';
import { runTransaction } from '../simulator/chain/run-transaction.ts';
import type {
  SimulatedBlock,
  SimulatedTransaction,
} from '../simulator/chain/simulated-transaction.ts';
import { transferLamports } from '../simulator/programs/system.ts';
import { transferTokens } from '../simulator/programs/token.ts';
import { Random } from '../simulator/random/random.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../src/model/program.ts';
import type { Address } from '../src/model/units.ts';

/**
 * The content of main network blocks apart from votes, counted in the two whole blocks of the test
 * data (slots 254,170,887 and 326,027,759; 705 transactions without votes): 127 move a pool, 372
 * failed, 46 move SOL alone, 31 tokens alone, 129 call other programs or trade without a pool.
 */
export const MAINNET_MIX = { trades: 127, failed: 372, sol: 46, tokens: 31, others: 129 } as const;

type Bystander = Exclude<keyof typeof MAINNET_MIX, 'trades'>;
const KINDS: readonly Bystander[] = ['failed', 'sol', 'tokens', 'others'];
const SUM = Object.values(MAINNET_MIX).reduce((sum, count) => sum + count, 0);
const BYSTANDERS = SUM - MAINNET_MIX.trades;

/** How many of this many transactions are trades, as in the main network's blocks. */
export function tradesOf(transactions: number): number {
  return Math.round((transactions * MAINNET_MIX.trades) / SUM);
}

const WALLETS = 4_000;
const PROGRAMS = 60;
const FUNDED_LAMPORTS = 10n ** 15n;
const FUNDED_RAW = 10n ** 18n;
/** Trades that other wallets repeat too late. */
const TRIED_MAX = 400;
/** An exchange's code for exceeded slippage (Anchor's codes begin at 6,000). */
const SLIPPAGE_CODE = 6_001;

/** A call of an unknown program: numbers of accounts, inner calls and log lines. */
const CALL = { accounts: 7, inner: 3, logs: 8, dataBytes: 40, outer: 3 } as const;

interface Holder {
  readonly wallet: Address;
  readonly tokens: Address;
}

/** Generates the transactions of a block that touch no market, from its seed alone. */
export class Bystanders {
  private readonly random: Random;
  private readonly keyring: Keyring;
  private readonly ledger = new Ledger();
  private readonly holders: readonly Holder[];
  private readonly programs: readonly Address[];
  private readonly accounts: readonly Address[];
  private readonly tried: SimulatedTransaction[] = [];

  constructor(seed: string) {
    this.random = new Random(`${seed}/bystanders`);
    this.keyring = new Keyring(this.random);
    const { keyring, ledger } = this;
    const mint = keyring.account();
    ledger.set(mint, {
      lamports: 1_461_600n,
      program: SPL_TOKEN_PROGRAM,
      mint: {
        decimals: 6,
        supplyRaw: FUNDED_RAW * BigInt(WALLETS),
        mintAuthority: null,
        freezeAuthority: null,
        transferFee: null,
      },
      token: null,
      state: null,
    });
    this.holders = Array.from({ length: WALLETS }, () => this.addHolder(mint));
    this.programs = Array.from({ length: PROGRAMS }, () => keyring.account());
    this.accounts = Array.from({ length: PROGRAMS * 20 }, () => keyring.account());
  }

  /** The block with this many additional transactions, at random positions among its own. */
  around(block: SimulatedBlock, count: number): SimulatedBlock {
    for (const transaction of block.transactions) {
      if (!transaction.isVote && transaction.error === null) this.tried.push(transaction);
    }
    this.tried.splice(0, Math.max(0, this.tried.length - TRIED_MAX));
    const all = block.transactions.map((transaction) => ({ transaction, at: 0 }));
    all.forEach((own, index) => {
      own.at = index / all.length;
    });
    for (let made = 0; made < count; made++) {
      all.push({ transaction: this.make(block), at: this.random.unit() });
    }
    all.sort((one, other) => one.at - other.at);
    return { ...block, transactions: all.map(({ transaction }) => transaction) };
  }

  private make(block: SimulatedBlock): SimulatedTransaction {
    let draw = this.random.below(BYSTANDERS);
    for (const kind of KINDS) {
      if (draw < MAINNET_MIX[kind]) return this.makeKind(kind, block);
      draw -= MAINNET_MIX[kind];
    }
    throw new RangeError('the draw is beyond all kinds');
  }

  private makeKind(kind: Bystander, block: SimulatedBlock): SimulatedTransaction {
    const late = kind === 'failed' ? this.longerTrade() : undefined;
    if (late !== undefined) return failedCopy(late, this.keyring);
    const [from, to] = [this.anyHolder(), this.anyHolder()];
    return this.run(block, from, (execution) => {
      if (kind === 'sol') {
        transferLamports(execution, from.wallet, to.wallet, this.amount());
      } else if (kind === 'tokens') {
        const move = { from: from.tokens, to: to.tokens, authority: from.wallet };
        transferTokens(execution, { ...move, amountRaw: this.amount() });
      } else {
        for (let outer = 0; outer < CALL.outer; outer++) this.call(execution, from.wallet);
      }
    });
  }

  private run(
    { slot, blockTime, previousBlockhash }: SimulatedBlock,
    { wallet }: Holder,
    build: (execution: Execution) => void,
  ): SimulatedTransaction {
    const landed = runTransaction(
      this.ledger,
      { slot, unixTime: blockTime },
      {
        signatures: [this.keyring.signature()],
        feePayer: wallet,
        recentBlockhash: previousBlockhash,
        computeBudget: { unitLimit: 200_000, priceMicroLamports: 10_000n },
        tables: [],
        build,
      },
    );
    if (landed === null) throw new RangeError(`${wallet} cannot pay`);
    return landed.transaction;
  }

  private call(execution: Execution, payer: Address): void {
    const program = this.random.pick(this.programs);
    const uses: AccountUse[] = [paying(payer)];
    for (let index = 0; index < CALL.accounts; index++) {
      const address = this.random.pick(this.accounts);
      uses.push(index % 2 === 0 ? writable(address) : readOnly(address));
    }
    const bytes = () => this.random.bytes(CALL.dataBytes);
    execution.invoke(program, uses, bytes(), () => {
      for (let line = 0; line < CALL.logs; line++) execution.log(`Instruction: Update ${line}`);
      for (let inner = 0; inner < CALL.inner; inner++) {
        execution.invoke(program, uses.slice(1, 4), bytes());
      }
    });
  }

  private addHolder(mint: Address): Holder {
    const { keyring, ledger } = this;
    const holder = { wallet: keyring.wallet(), tokens: keyring.account() };
    const account = { lamports: FUNDED_LAMPORTS, mint: null, state: null };
    ledger.set(holder.wallet, { ...account, program: SYSTEM_PROGRAM, token: null });
    const token = { mint, owner: holder.wallet, amountRaw: FUNDED_RAW, withheldRaw: 0n };
    ledger.set(holder.tokens, { ...account, program: SPL_TOKEN_PROGRAM, token });
    return holder;
  }

  /**
   * Failed transactions are a third longer: most of them are programs that trade over several
   * pools.
   */
  private longerTrade(): SimulatedTransaction | undefined {
    const { tried, random } = this;
    const [one, other] = [tried[random.below(tried.length)], tried[random.below(tried.length)]];
    if (one === undefined || other === undefined) return undefined;
    return one.logs.length >= other.logs.length ? one : other;
  }

  private anyHolder(): Holder {
    return this.holders[this.random.below(WALLETS)] as Holder;
  }

  private amount(): bigint {
    return BigInt(1_000_000 + this.random.below(1_000_000_000));
  }
}

/**
 * A repeated trade that is too late: the last outer instruction fails, and only the fee is paid.
 */
function failedCopy(trade: SimulatedTransaction, keyring: Keyring): SimulatedTransaction {
  const { instructions, lamportsBefore, logs, feeLamports, tokenBalances } = trade;
  const outerIx = instructions.at(-1)?.outerIx ?? 0;
  const outer = instructions.find((each) => each.outerIx === outerIx);
  const keys = [...trade.staticKeys, ...trade.loadedWritable, ...trade.loadedReadonly];
  const program = keys[outer?.programIndex ?? 0] ?? '';
  return {
    ...trade,
    signatures: trade.signatures.map(() => keyring.signature()),
    error: { InstructionError: [outerIx, { Custom: SLIPPAGE_CODE }] },
    lamportsAfter: lamportsBefore.map((lamports, index) =>
      index === 0 ? lamports - feeLamports : lamports,
    ),
    tokenBalances: tokenBalances.map((balance) => ({ ...balance, afterRaw: balance.beforeRaw })),
    logs: [
      ...logs.slice(0, -1),
      'Program log: AnchorError occurred. Error Code: ExceededSlippage. Error Number: 6001.',
      `Program ${program} failed: custom program error: 0x${SLIPPAGE_CODE.toString(16)}`,
    ],
    facts: [],
  };
}
