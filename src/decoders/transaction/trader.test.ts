import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import {
  balance,
  readDraft,
  type SwapTransactionDraft,
} from '../../../tests/support/swap-draft.ts';
import {
  closeAccount,
  initializeAccount3,
  transfer,
} from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { ROUTER_PROGRAMS } from './router-programs.ts';

const MINT = address('mint');
const POOL = [
  balance('base vault', MINT, 'pool', 1_000n, 910n, 6),
  balance('quote vault', WRAPPED_SOL, 'pool', 500n, 550n, 9),
];

/**
 * Token accounts `<owner> base` and `<owner> quote` of an owner, with balances before and after.
 */
function accountsOf(
  owner: string,
  base: readonly [bigint, bigint],
  quote: readonly [bigint, bigint],
) {
  return [
    balance(`${owner} base`, MINT, owner, ...base, 6),
    balance(`${owner} quote`, WRAPPED_SOL, owner, ...quote, 9),
  ];
}

const BOUGHT = [
  [0n, 90n],
  [50n, 0n],
] as const;
const UNCHANGED = [
  [0n, 0n],
  [0n, 0n],
] as const;

/** A buy of 90 for 50 paid by accounts of `payer`, authorised by `by`. */
function boughtBy(payer: string, by = payer) {
  return [
    transfer({ from: `${payer} quote`, to: 'quote vault', by, amount: 50n }),
    transfer({ from: 'base vault', to: `${payer} base`, by: 'pool', amount: 90n }),
  ];
}

const give = (from: string, to: string, token: 'base' | 'quote', amount: bigint) =>
  transfer({ from: `${from} ${token}`, to: `${to} ${token}`, by: from, amount });

function traderOfDraft(draft: Omit<SwapTransactionDraft, 'userAccounts'>, payer: string) {
  const accounts = { user: payer, userAccounts: [`${payer} quote`, `${payer} base`] as const };
  const { swap } = readDraft({ ...accounts, ...draft });
  if (swap === null) throw new Error('no swap');
  return swap.trader;
}

describe('the trader who signed', () => {
  test('is the owner of the account that paid, not the fee payer', () => {
    const balances = [...POOL, ...accountsOf('wallet', ...BOUGHT)];
    const draft = { inner: boughtBy('wallet'), balances, signers: ['sponsor', 'wallet'] };
    expect(traderOfDraft(draft, 'wallet')).toBe(address('wallet'));
  });

  test('is the owner when a delegate signed for it', () => {
    const balances = [...POOL, ...accountsOf('wallet', ...BOUGHT)];
    const draft = { inner: boughtBy('wallet', 'delegate'), balances, signers: ['delegate'] };
    expect(traderOfDraft({ ...draft, user: 'delegate' }, 'wallet')).toBe(address('wallet'));
  });

  test('is the owner when the instruction names another wallet', () => {
    const balances = [...POOL, ...accountsOf('wallet', ...BOUGHT)];
    const draft = { inner: boughtBy('wallet'), balances, signers: ['sponsor', 'wallet'] };
    expect(traderOfDraft({ ...draft, user: 'pool' }, 'wallet')).toBe(address('wallet'));
  });

  test('is the payer when another wallet receives', () => {
    const inner = [
      transfer({ from: 'wallet quote', to: 'quote vault', by: 'wallet', amount: 50n }),
      transfer({ from: 'base vault', to: 'friend base', by: 'pool', amount: 90n }),
    ];
    const balances = [
      ...POOL,
      ...accountsOf('wallet', [0n, 0n], [50n, 0n]),
      ...accountsOf('friend', [0n, 90n], [0n, 0n]),
    ];
    const { swap } = readDraft({ inner, balances, userAccounts: ['friend base', 'wallet quote'] });
    expect(swap?.trader).toBe(address('wallet'));
  });

  test('is known by a wrapped-SOL account that existed only inside the transaction', () => {
    const draft = {
      before: [initializeAccount3('wallet quote', WRAPPED_SOL, 'wallet')],
      inner: boughtBy('wallet'),
      after: [closeAccount('wallet quote', 'wallet')],
      balances: [...POOL, balance('wallet base', MINT, 'wallet', 0n, 90n, 6)],
      signers: ['sponsor', 'wallet'],
    };
    expect(traderOfDraft(draft, 'wallet')).toBe(address('wallet'));
  });

  test('is the co-signer for whom a relayer swapped through its own accounts', () => {
    const draft = {
      before: [give('wallet', 'relayer', 'quote', 50n)],
      inner: boughtBy('relayer'),
      after: [give('relayer', 'wallet', 'base', 90n)],
      balances: [
        ...POOL,
        ...accountsOf('wallet', ...BOUGHT),
        ...accountsOf('relayer', ...UNCHANGED),
      ],
      signers: ['relayer', 'wallet'],
    };
    expect(traderOfDraft(draft, 'relayer')).toBe(address('wallet'));
  });

  test('is the payer itself when its tokens are unchanged and no co-signer gave any', () => {
    const draft = {
      inner: boughtBy('wallet'),
      after: [transfer({ from: 'wallet base', to: 'burner', by: 'wallet', amount: 90n })],
      balances: [
        ...POOL,
        ...accountsOf('wallet', ...UNCHANGED),
        ...accountsOf('other', [0n, 5n], [0n, 0n]),
      ],
      signers: ['wallet', 'other'],
    };
    expect(traderOfDraft(draft, 'wallet')).toBe(address('wallet'));
  });

  test('is unknown when a relayer had tokens of two co-signers', () => {
    const draft = {
      before: [give('one', 'relayer', 'quote', 20n), give('two', 'relayer', 'quote', 30n)],
      inner: boughtBy('relayer'),
      after: [give('relayer', 'one', 'base', 40n), give('relayer', 'two', 'base', 50n)],
      balances: [
        ...POOL,
        ...accountsOf('one', [0n, 40n], [20n, 0n]),
        ...accountsOf('two', [0n, 50n], [30n, 0n]),
        ...accountsOf('relayer', ...UNCHANGED),
      ],
      signers: ['relayer', 'one', 'two'],
    };
    expect(traderOfDraft(draft, 'relayer')).toBeNull();
  });
});

describe('the trader behind accounts that a program signs for', () => {
  const routed = {
    before: [give('wallet', 'router', 'quote', 50n)],
    inner: boughtBy('router'),
    after: [give('router', 'wallet', 'base', 90n)],
    balances: [...POOL, ...accountsOf('wallet', ...BOUGHT), ...accountsOf('router', ...UNCHANGED)],
    caller: 'router program',
  };

  test('is the signer that gave a router tokens and received others, not the fee payer', () => {
    const draft = { ...routed, signers: ['sponsor', 'wallet'] };
    expect(traderOfDraft(draft, 'router')).toBe(address('wallet'));
  });

  test('is the same signer when the router keeps part of the tokens', () => {
    const balances = [
      ...POOL,
      ...accountsOf('wallet', [0n, 89n], [50n, 0n]),
      ...accountsOf('router', [0n, 1n], [0n, 0n]),
    ];
    const draft = { ...routed, balances, signers: ['sponsor', 'wallet'] };
    expect(traderOfDraft(draft, 'router')).toBe(address('wallet'));
  });

  test('is the signer that the pool pays', () => {
    const inner = [
      transfer({ from: 'router quote', to: 'quote vault', by: 'router', amount: 50n }),
      transfer({ from: 'base vault', to: 'wallet base', by: 'pool', amount: 90n }),
    ];
    const balances = [
      ...POOL,
      ...accountsOf('wallet', [0n, 90n], [0n, 0n]),
      ...accountsOf('router', [0n, 0n], [50n, 0n]),
    ];
    const draft = { inner, balances, signers: ['sponsor', 'wallet'] };
    expect(traderOfDraft(draft, 'router')).toBe(address('wallet'));
  });

  test("is a program's wallet that lost one token and gained the other", () => {
    const balances = [...POOL, ...accountsOf('multisig', ...BOUGHT)];
    const draft = { inner: boughtBy('multisig'), balances, signers: ['member'], caller: 'program' };
    expect(traderOfDraft(draft, 'multisig')).toBe(address('multisig'));
  });

  test('is such a wallet behind a router as well', () => {
    const draft = {
      before: [give('multisig', 'router', 'quote', 50n)],
      inner: boughtBy('router'),
      after: [give('router', 'multisig', 'base', 90n)],
      balances: [
        ...POOL,
        ...accountsOf('multisig', ...BOUGHT),
        ...accountsOf('router', ...UNCHANGED),
      ],
      signers: ['member'],
    };
    expect(traderOfDraft(draft, 'router')).toBe(address('multisig'));
  });

  test('is the vault that gained, when no other account gave it anything', () => {
    const balances = [...POOL, ...accountsOf('vault', [0n, 90n], [50n, 50n])];
    const draft = { inner: boughtBy('vault'), balances, signers: ['bot'] };
    expect(traderOfDraft(draft, 'vault')).toBe(address('vault'));
  });

  /** Other pools, of unknown programs, are paid by `payers` and pay the sellers. */
  const amongPools = (...payers: readonly string[]) => ({
    before: [
      ...payers.map((payer) => give(payer, 'first pool', 'quote', 60n)),
      give('first pool', 'router', 'quote', 50n),
    ],
    inner: boughtBy('router'),
    after: [give('router', 'last pool', 'base', 90n)],
    balances: [
      ...POOL,
      ...['router', 'first pool', 'last pool', ...payers].flatMap((owner) =>
        accountsOf(owner, ...UNCHANGED),
      ),
    ],
  });

  test('is that vault even when it bought from an unknown pool', () => {
    const unknownPool = [
      transfer({ from: 'vault base', to: 'other base', by: 'vault', amount: 90n }),
      transfer({ from: 'other quote', to: 'vault quote', by: 'other', amount: 55n }),
    ];
    const balances = [
      ...POOL,
      ...accountsOf('vault', [0n, 0n], [500n, 505n]),
      ...accountsOf('other', [900n, 990n], [800n, 745n]),
    ];
    const draft = { inner: boughtBy('vault'), balances, signers: ['keeper'] };
    const called = { program: address('unknown venue'), inner: unknownPool };
    for (const around of [{ after: [called] }, { before: [called] }]) {
      expect(traderOfDraft({ ...draft, ...around }, 'vault')).toBe(address('vault'));
    }
  });

  test('is the only signer whose tokens changed when a route has no direct transfer to it', () => {
    const draft = { ...amongPools('wallet'), signers: ['sponsor', 'wallet'] };
    expect(traderOfDraft(draft, 'router')).toBe(address('wallet'));
  });

  test('is unknown when there are two such signers', () => {
    const draft = { ...amongPools('one', 'two'), signers: ['one', 'two'] };
    expect(traderOfDraft(draft, 'router')).toBeNull();
  });

  test('is unknown when only a keeper signed and its tokens are unchanged', () => {
    const draft = {
      before: [
        give('escrow', 'keeper', 'quote', 50n),
        transfer({ from: 'keeper quote', to: 'router quote', by: 'keeper', amount: 50n }),
      ],
      inner: boughtBy('router'),
      after: [give('router', 'owner of the order', 'base', 90n)],
      balances: [
        ...POOL,
        ...accountsOf('escrow', [0n, 0n], [50n, 0n]),
        ...accountsOf('keeper', ...UNCHANGED),
        ...accountsOf('router', ...UNCHANGED),
        ...accountsOf('owner of the order', [0n, 90n], [0n, 0n]),
      ],
      signers: ['keeper'],
    };
    expect(traderOfDraft(draft, 'router')).toBeNull();
  });

  test('is unknown when an order program trades tokens it holds for many users', () => {
    const balances = [...POOL, ...accountsOf('escrow', ...BOUGHT)];
    const draft = {
      before: [{ program: ROUTER_PROGRAMS.jupiter_dca }],
      inner: boughtBy('escrow'),
      balances,
      signers: ['keeper'],
    };
    expect(traderOfDraft(draft, 'escrow')).toBeNull();
  });
});

describe('records older than owners in balances', () => {
  test('name the authority of the payment when it signed, otherwise no trader', () => {
    const draft = { inner: boughtBy('wallet'), balances: POOL };
    expect(traderOfDraft({ ...draft, signers: ['sponsor', 'wallet'] }, 'wallet')).toBe(
      address('wallet'),
    );
    expect(traderOfDraft({ ...draft, signers: ['sponsor'] }, 'wallet')).toBeNull();
  });
});
