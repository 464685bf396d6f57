import type { SlotFacts, TransactionFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import {
  balanceChange,
  mintCreated,
  poolCreated,
  slotFacts,
  supplyChange,
  swapEvent,
  transactionFacts,
} from './build-facts.ts';
import { address } from './build-transaction.ts';
import { signatureNamed } from './made-up-units.ts';
import { SOL, START_MS, SUPPLY, TOKEN } from './master-fixture.ts';

const TRANSACTIONS_PER_SLOT = 200;
const SLOT_MS = 400;
const FIRST_SLOT = 1_000;

/** A launch of one mint, which then is bought by so many wallets, each once. */
export function* manyHolders(holders: number): Generator<SlotFacts> {
  const one = new Token('crowd');
  yield* inSlots(function* () {
    yield one.launch();
    for (let holder = 0; holder < holders; holder++) yield one.buy(`holder ${holder}`);
  });
}

/** Launches that are bought once each and left alone; then one wallet buys of each, once. */
export function* deadMints(mints: number): Generator<SlotFacts> {
  yield* inSlots(function* () {
    for (let each = 0; each < mints; each++) {
      const token = new Token(`dead ${each}`);
      yield token.launch();
      yield token.buy(`buyer ${each}`);
    }
    for (let each = 0; each < mints; each++) yield new Token(`dead ${each}`, 1n).buy('attacker');
  });
}

type Draft = Partial<TransactionFacts>;

function* inSlots(drafts: () => Generator<Draft>): Generator<SlotFacts> {
  let slot = FIRST_SLOT;
  let transactions: TransactionFacts[] = [];
  const take = (): SlotFacts => {
    const facts = slotFacts(slot, START_MS + (slot - FIRST_SLOT) * SLOT_MS, transactions);
    slot++;
    transactions = [];
    return facts;
  };
  for (const draft of drafts()) {
    const txIndex = transactions.length;
    const signature = signatureNamed(`${slot} ${txIndex}`);
    transactions.push(transactionFacts({ ...draft, txIndex, signature }));
    if (transactions.length === TRANSACTIONS_PER_SLOT) yield take();
  }
  if (transactions.length > 0) yield take();
}

/** A mint with a pool, of which every purchase takes one token. */
class Token {
  private readonly mint: Address;
  private readonly pool: Address;
  private sold: bigint;

  constructor(name: string, sold = 0n) {
    this.mint = address(`mint of ${name}`);
    this.pool = address(`pool of ${name}`);
    this.sold = sold;
  }

  launch(): Draft {
    const { mint, pool } = this;
    return {
      signers: [address('creator')],
      events: [
        mintCreated(mint),
        supplyChange('mintTo', mint, SUPPLY, 1),
        poolCreated(SUPPLY, 500n * SOL, { pool, baseMint: mint }),
      ],
      tokenBalances: [this.balance(pool, 0n, SUPPLY)],
    };
  }

  buy(name: string): Draft {
    const { mint, pool } = this;
    const trader = address(name);
    const left = SUPPLY - this.sold * TOKEN;
    this.sold++;
    const draft = { trader, side: 'buy', baseRaw: TOKEN, quoteRaw: SOL / 1_000n } as const;
    return {
      signers: [trader],
      events: [swapEvent(draft, { pool, baseMint: mint })],
      tokenBalances: [this.balance(trader, 0n, TOKEN), this.balance(pool, left, left - TOKEN)],
    };
  }

  private balance(owner: Address, before: bigint, after: bigint) {
    const account = address(`${owner} of ${this.mint}`);
    return balanceChange(owner, before, after, { mint: this.mint, account });
  }
}
