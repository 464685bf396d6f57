import { describe, expect, it } from 'vitest';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import {
  CAT,
  selfEvent,
  systemTransfer,
  tokenTransfer,
  tradeDraft,
} from '../../../tests/support/pump-drafts.ts';
import {
  keptTradeEvent,
  SWEEP_EVENT,
  sweepDraft,
  sweepFields,
} from '../../../tests/support/pump-october-drafts.ts';
import { SOL, TOKENS } from '../../../tests/support/pump-scene.ts';
import { SOON_MS } from '../../../tests/support/slow-machine.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import { USDC, WRAPPED_SOL } from '../../model/program.ts';
import { decodeTransaction } from '../decode-transaction.ts';
import { Tally } from '../tally.ts';

/**
 * Amounts of curve iGmCtY1oKkuqNuqJuWdT5gmKXbxX1gefggWevnKpiot in transaction
 * 3iPZksnCG9YpmfinyrcgJVQdvNVZHtX9bWtHccKXrhuGTTP5AKbGbvUwwooqYPzdfBrnqQJCpkFfPcn9Zs8K85Fn: the
 * protocol's fees and the creator's, 6,646,906 lamports together, left it.
 */
const PROTOCOL = { bucket: 'protocol', amount: 5_051_648n } as const;
const CREATOR = { bucket: 'creator', amount: 1_595_258n } as const;
const LEFT = -6_646_906n;

describe('sweeps of a SOL curve', () => {
  it('are payouts of fees, which its reserves never included', () => {
    const { events, problems } = decode([sweepDraft(PROTOCOL), sweepDraft(CREATOR)], LEFT);
    expect(problems).toEqual([]);
    expect(events).toEqual([
      {
        kind: 'feeSweep',
        outerIx: 0,
        innerIx: -1,
        venue: 'pump',
        pool: CAT.curve,
        mint: WRAPPED_SOL,
        bucket: 'protocol',
        amountRaw: 5_051_648n,
        poolDelta: 0n,
      },
      {
        kind: 'feeSweep',
        outerIx: 1,
        innerIx: -1,
        venue: 'pump',
        pool: CAT.curve,
        mint: WRAPPED_SOL,
        bucket: 'creator',
        amountRaw: 1_595_258n,
        poolDelta: 0n,
      },
    ]);
  });

  it('are removed and reported when the curve did not lose them', () => {
    const { events, problems } = decode([sweepDraft(PROTOCOL), sweepDraft(CREATOR)], LEFT + 1n);
    expect(events).toEqual([]);
    const reason =
      'quarantined: curve gained -6646905 lamports, its swaps and sweeps explain -6646906';
    expect(problems).toEqual([reason, reason]);
  });

  it('may add the deposit for a larger account to the curve', () => {
    const { events, problems } = decode(
      [
        sweepDraft(PROTOCOL, [
          systemTransfer(address('payer'), CAT.curve, 640_320n),
          ...(sweepDraft(PROTOCOL).inner ?? []),
        ]),
      ],
      640_320n - 5_051_648n,
    );
    expect(problems).toEqual([]);
    expect(events).toHaveLength(1);
  });

  it('and trades of the same curve do not affect each other', () => {
    // A buy keeps 7,750,000 of its fees, and the sweep pays out 4,750,000 of the protocol's.
    const swept = sweepDraft({ bucket: 'protocol', amount: 4_750_000n });
    const gained = SOL + 7_750_000n - 4_750_000n;
    const { events, problems } = decode([buy(), swept], gained, TOKENS);
    expect(problems).toEqual([]);
    expect(events.map(({ kind }) => kind)).toEqual(['swap', 'feeSweep']);
    expect(events[0]).toMatchObject({ poolQuoteDelta: SOL, quarantine: null });
  });

  it('are quarantined with the trades when both together do not explain the curve', () => {
    const swept = sweepDraft({ bucket: 'protocol', amount: 4_750_000n });
    const { events, problems } = decode([buy(), swept], SOL + 7_750_000n, TOKENS);
    expect(events.map(({ kind }) => kind)).toEqual(['swap']);
    expect(events[0]).toMatchObject({
      quarantine: 'curve gained 1007750000 lamports, its swaps and sweeps explain 1003000000',
    });
    expect(problems).toHaveLength(2);
  });

  it('of zero succeed without an event and are ignored', () => {
    expect(decodeDraft({ signers: [CAT.alice], instructions: [sweepDraft(PROTOCOL, [])] })).toEqual(
      { status: 'ignored' },
    );
    const nothing = sweepDraft({ bucket: 'creator', amount: 0n });
    expect(decodeDraft({ signers: [CAT.alice], instructions: [nothing] })).toEqual({
      status: 'ignored',
    });
  });
});

describe('a sweep of a curve quoted in a token', () => {
  const quoted = { ...CREATOR, quoteMint: USDC };
  const event = selfEvent(SWEEP_EVENT, sweepFields(quoted));
  const paid = tokenTransfer(CAT.quoteVault, address('recipient quote'), CAT.curve, 1_595_258n);

  it('is the outflow of its vault', () => {
    const { events, problems } = decode([sweepDraft(quoted, [paid, event])], 0n);
    expect(problems).toEqual([]);
    expect(events).toMatchObject([
      { kind: 'feeSweep', mint: USDC, bucket: 'creator', amountRaw: 1_595_258n, poolDelta: 0n },
    ]);
  });

  it.each([
    ['moved another amount', [tokenTransfer(CAT.quoteVault, CAT.aliceQuote, CAT.curve, 1n), event]],
    ['moved nothing', [event]],
    ['has no event', [paid]],
  ])('is malformed when it %s', (_case, inner) => {
    const { events, problems } = decode([sweepDraft(quoted, inner)], 0n);
    expect(events).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^malformed/);
  });
});

describe('a sweep is malformed', () => {
  it.each([
    ['whose event is truncated', sweepFields(PROTOCOL).subarray(0, 144)],
    ['whose event is of another curve', sweepFields({ ...PROTOCOL, curve: address('dog') })],
    ['whose event is of the other fees', sweepFields({ ...PROTOCOL, bucket: 'creator' })],
    ['whose event has an unknown bucket', Uint8Array.of(...sweepFields(PROTOCOL).slice(0, -1), 2)],
  ])('%s', (_case, fields) => {
    const draft = sweepDraft(PROTOCOL, [selfEvent(SWEEP_EVENT, fields)]);
    const { status } = decodeDraft({ signers: [CAT.alice], instructions: [draft] });
    expect(status).toBe('malformed');
  });

  it('without its accounts', () => {
    const { accounts = [], ...draft } = sweepDraft(PROTOCOL);
    const instructions = [{ ...draft, accounts: accounts.slice(0, 8) }];
    expect(decodeDraft({ signers: [CAT.alice], instructions })).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
  });
});

it('reads ten thousand sweeps of one transaction within seconds', () => {
  const count = 10_000;
  const sweeps = Array.from({ length: count }, () => sweepDraft({ ...PROTOCOL, amount: 3n }));
  const startedMs = performance.now();
  const { events, problems } = decode(sweeps, -3n * BigInt(count));
  expect(events).toHaveLength(count);
  expect(problems).toEqual([]);
  expect(performance.now() - startedMs).toBeLessThan(SOON_MS);
});

function buy(): InstructionDraft {
  return tradeDraft('buy_v3', [
    tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
    systemTransfer(CAT.alice, CAT.curve, SOL + 7_750_000n),
    systemTransfer(CAT.alice, CAT.buybackRecipient, 4_750_000n),
    keptTradeEvent({
      isBuy: true,
      quoteAmount: SOL,
      tokenAmount: TOKENS,
      fee: 9_500_000n,
      creatorFee: 3_000_000n,
      buybackFee: 4_750_000n,
    }),
  ]);
}

/** Events and problems of a transaction in which the curve gained lamports and sold tokens. */
function decode(instructions: readonly InstructionDraft[], curveGain: bigint, sold = 0n) {
  const initial = 10n ** 15n;
  const transaction = buildTransaction({
    signers: [CAT.alice],
    instructions,
    tokenBalances: [
      {
        account: CAT.baseVault,
        mint: CAT.mint,
        owner: CAT.curve,
        before: initial,
        after: initial - sold,
      },
      {
        account: CAT.aliceBase,
        mint: CAT.mint,
        owner: CAT.alice,
        before: initial,
        after: initial + sold,
      },
    ],
    lamports: { [CAT.curve]: [initial, initial + curveGain] },
  });
  const tally = new Tally();
  const { events } = decodeTransaction(transaction, 0, tally);
  const own: ChainEvent[] = events.filter(
    ({ kind }) => kind !== 'tokenTransfer' && kind !== 'solTransfer',
  );
  return {
    events: own,
    problems: tally.problems.map(({ problem, reason }) => `${problem}: ${reason}`),
  };
}
