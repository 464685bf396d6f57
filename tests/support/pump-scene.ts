import { decodeTransaction } from '../../src/decoders/decode-transaction.ts';
import { Tally } from '../../src/decoders/tally.ts';
import type { Swap } from '../../src/model/swap.ts';
import {
  buildTransaction,
  type InstructionDraft,
  type TransactionDraft,
} from './build-transaction.ts';
import {
  CAT,
  catBalances,
  selfEvent,
  systemTransfer,
  TRADE_EVENT,
  tokenTransfer,
  tradeDraft,
  tradeFields,
} from './pump-drafts.ts';

export const SOL = 1_000_000_000n;
/** Tokens that one SOL buys on a fresh curve of 30 virtual SOL and 1.073e15 virtual tokens. */
export const TOKENS = 34_612_903_225_806n;

/** A transaction with Alice's and the curve's accounts, and the balances after it. */
export interface PumpScene {
  readonly instructions: readonly InstructionDraft[];
  /** Tokens that left the curve. */
  readonly sold: bigint;
  readonly curveGain?: bigint;
  readonly feeGain?: bigint;
  readonly quote?: { mint: string; decimals?: number; curve: bigint; alice: bigint };
  readonly logMessages?: readonly string[];
}

/** Decodes a scene: its swaps, and the reasons of malformed instructions. */
export function decodeScene(scene: PumpScene): { swaps: Swap[]; malformed: string[] } {
  const held = 10n ** 12n;
  const { quote } = scene;
  const draft: TransactionDraft = {
    signers: [CAT.alice],
    instructions: scene.instructions,
    logMessages: scene.logMessages ?? [],
    tokenBalances: [
      ...catBalances(scene.sold),
      ...(quote === undefined
        ? []
        : [
            {
              account: CAT.quoteVault,
              mint: quote.mint,
              decimals: quote.decimals ?? 6,
              before: held,
              after: held + quote.curve,
            },
            {
              account: CAT.aliceQuote,
              mint: quote.mint,
              owner: CAT.alice,
              decimals: quote.decimals ?? 6,
              before: held,
              after: held + quote.alice,
            },
          ]),
    ],
    lamports: {
      [CAT.curve]: [held, held + (scene.curveGain ?? 0n)],
      [CAT.feeRecipient]: [held, held + (scene.feeGain ?? 0n)],
    },
  };
  const tally = new Tally();
  const { events } = decodeTransaction(buildTransaction(draft), 0, tally);
  return {
    swaps: events.filter((event) => event.kind === 'swap'),
    malformed: tally.problems
      .filter(({ problem }) => problem === 'malformed')
      .map(({ reason }) => reason),
  };
}

/** Alice buys for one SOL and a fee of one percent. */
export function buyDraft(
  changes: { event?: Uint8Array | null; extra?: readonly InstructionDraft[] } = {},
): InstructionDraft {
  const fields = tradeFields({ isBuy: true, solAmount: SOL, tokenAmount: TOKENS });
  const event = changes.event === undefined ? fields : changes.event;
  return tradeDraft('buy', [
    ...(changes.extra ?? []),
    tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
    systemTransfer(CAT.alice, CAT.curve, SOL),
    systemTransfer(CAT.alice, CAT.feeRecipient, 10_000_000n),
    ...(event === null ? [] : [selfEvent(TRADE_EVENT, event)]),
  ]);
}

/** Alice sells; the curve's lamports move without an instruction. */
export function saleDraft(
  changes: { event?: Uint8Array | null; solAmount?: bigint; tokenAmount?: bigint } = {},
): InstructionDraft {
  const { solAmount = SOL, tokenAmount = TOKENS } = changes;
  const fields = tradeFields({ isBuy: false, solAmount, tokenAmount });
  const event = changes.event === undefined ? fields : changes.event;
  return tradeDraft('sell', [
    tokenTransfer(CAT.aliceBase, CAT.baseVault, CAT.alice, tokenAmount),
    ...(event === null ? [] : [selfEvent(TRADE_EVENT, event)]),
  ]);
}

export function tradeEvent(values: Parameters<typeof tradeFields>[0]): InstructionDraft {
  return selfEvent(TRADE_EVENT, tradeFields(values));
}
