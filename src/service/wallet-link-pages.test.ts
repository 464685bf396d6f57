import { describe, expect, test } from 'vitest';
import { buildClassification, classificationId } from '../../tests/support/build-classification.ts';
import { address, signature } from '../../tests/support/build-transaction.ts';
import type { FindingQuery } from '../model/finding-page.ts';
import { asLamports, asSlot } from '../model/units.ts';
import {
  LINK_KINDS,
  type LinkCursor,
  type LinkKind,
  type WalletLink,
} from '../model/wallet-lists.ts';
import { type LinkSources, walletLinks } from './wallet-link-pages.ts';

const wallet = address('buyer');
const link = (kind: LinkKind, other: string, strength: number): WalletLink => ({
  ...{ wallet: address(other), kind, class: null, strength, transactions: [], findings: [] },
});

/** Findings one slot behind the records for the first `behind` reads. */
function sourcesWith(links: readonly WalletLink[], behind = 0) {
  const asked: FindingQuery[] = [];
  // Both involve the creator and the buyer.
  const findings = [0.8581, 0.6].map((confidence, at) => ({
    classification: buildClassification({ id: classificationId(at + 1), finding: { confidence } }),
    status: 'active' as const,
  }));
  const sources: LinkSources = {
    recorded: () => ({ slot: asSlot(9), timeMs: 900, data: links }),
    findings: async (query) => {
      asked.push(query);
      const slot = asSlot(asked.length <= behind ? 8 : 9);
      return { slot, timeMs: null, data: { findings, next: null } };
    },
  };
  const page = async (after: LinkCursor | null = null, limit = 10, kinds = LINK_KINDS) =>
    walletLinks(sources, { wallet, kinds, after, limit });
  return { page, asked };
}

const RECORDED = [
  link('funded_by', 'one', 0.25),
  link('follows', 'two', 0.5),
  link('funded', 'one', 0.25),
];

describe('links of a wallet', () => {
  test('are recorded ones and those of reported findings, strongest first', async () => {
    const { page, asked } = sourcesWith(RECORDED);
    const { data, slot } = await page();
    expect(data.links.map(({ kind, wallet: other, strength }) => [kind, other, strength])).toEqual([
      ['same_finding', address('creator'), 0.8581],
      ['follows', address('two'), 0.5],
      ['funded_by', address('one'), 0.25],
      ['funded', address('one'), 0.25],
    ]);
    expect(data.links[0]?.findings).toEqual([classificationId(1), classificationId(2)]);
    expect([slot, data.next]).toEqual([9, null]);
    expect(asked).toMatchObject([{ wallet, statuses: ['active', 'reviewed', 'confirmed'] }]);
  });

  test('of findings have the transactions of the evidence, each once, those that name both first', async () => {
    const evidenceOf = (
      slot: number,
      signatures: readonly string[],
      wallets: readonly string[],
    ) => ({
      ...{ type: 'bundled_transaction' as const, description: '', weight: 1 },
      payload: {
        ...{ kind: 'transaction' as const, slot: asSlot(slot), isBundled: false, usd: null },
        ...{ lamports: asLamports(0n), wallets: wallets.map(address) },
        signatures: signatures.map(signature),
      },
    });
    const many = Array.from({ length: 20 }, (_, at) => `tx ${at}`);
    const findings = [
      [
        evidenceOf(5, ['of the buyer'], ['buyer', 'stranger']),
        evidenceOf(7, ['of both', 'too'], ['creator', 'buyer']),
        evidenceOf(8, ['of neither'], ['stranger']),
      ],
      [evidenceOf(9, ['of both', ...many], ['buyer', 'creator'])],
    ].map((evidence, at) => ({
      classification: buildClassification({ id: classificationId(at + 1), finding: { evidence } }),
      status: 'active' as const,
    }));
    const { data } = await walletLinks(
      {
        recorded: () => ({ slot: asSlot(9), timeMs: 900, data: [] }),
        findings: async () => ({ slot: asSlot(9), timeMs: null, data: { findings, next: null } }),
      },
      { wallet, kinds: LINK_KINDS, after: null, limit: 10 },
    );
    const [{ transactions } = { transactions: [] }] = data.links;
    expect(transactions.map(({ signature: name, slot, mint }) => [name, slot, mint])).toEqual(
      // The slot of the evidence is that of its first transaction only.
      [['of both', 7], ['too', null], ...many.slice(0, 14).map((name) => [name, null])].map(
        ([name, slot]) => [signature(String(name)), slot, address('mint')],
      ),
    );
    expect(transactions).toHaveLength(16);
  });

  test.each([1, 2, 3])('are each listed once in pages of %i', async (limit) => {
    const { page } = sourcesWith(RECORDED);
    const listed: WalletLink[] = [];
    let after: LinkCursor | null = null;
    do {
      const { data } = await page(after, limit);
      listed.push(...data.links);
      after = data.next;
    } while (after !== null);
    expect(listed).toEqual((await page()).data.links);
  });

  test('of one kind are read without findings', async () => {
    const { page, asked } = sourcesWith(RECORDED);
    const { data } = await page(null, 10, ['funded'] as never);
    expect(data.links).toEqual([RECORDED[2]]);
    expect(asked).toEqual([]);
  });

  test('are of one slot: they are read again while the findings are of another', async () => {
    const { page, asked } = sourcesWith(RECORDED, 2);
    expect((await page()).slot).toBe(9);
    expect(asked).toHaveLength(3);
  });
});
