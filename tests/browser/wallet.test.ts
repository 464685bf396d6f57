import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TradeItem } from '../../src/api/present/trade-body.ts';
import { asLamports, asPriceE18, asRawAmount, asUsdNano } from '../../src/model/units.ts';
import type { WalletRecord } from '../../src/model/wallet-record.ts';
import { buildTrade } from '../support/build-trade.ts';
import { address, signature } from '../support/build-transaction.ts';
import {
  ADMIN_KEY,
  asOfFakeSlot,
  fakeApiDeps,
  fakeWallet,
  MINT,
  SLOT,
  SLOT_TIME_MS,
  WALLET,
} from '../support/fake-api-deps.ts';
import { hasBrowser, isScrolledSideways, seriousFindings, TestBrowser } from './support/browser.ts';
import { listenWithPages, openStreamed, shownText } from './support/fake-pages.ts';

const FUNDER = address('funder');
const CHILD = address('child');
const HOSTILE = `<img src=x onerror="document.title='hit'">\u202e\u200b${'A'.repeat(10_000)}`;
const usd = (cents: bigint) => asUsdNano(cents * 10_000_000n);

/** A bot by rule, with one term known and one not; half of what it bought is still held. */
const BOT: WalletRecord = fakeWallet({
  automation: {
    kinds: ['sniper'],
    ...{ class: 'bot', score: 0.99, rule: 'swap_rate', ruleHeldMs: SLOT_TIME_MS },
    ruleMeaning: 'At least 500 swaps within 24 h. No person does that.',
    evidence: [{ measure: 'swaps_24h', value: 612, threshold: 500 }],
    ...{ sinceSlot: SLOT, sinceMs: SLOT_TIME_MS, baseLogit: -2 },
    terms: [
      {
        ...{ term: 'short_holds', feature: 'share of short holds', why: 'Scripts are fast.' },
        ...{ value: 0.7, from: 0.3, to: 0.8, weight: 1.6, contribution: 1.28 },
      },
      {
        ...{ term: 'regular_gaps', feature: 'evenness of gaps', why: 'Timers are even.' },
        ...{ value: null, from: 0.5, to: 0.8, weight: 1.5, contribution: 0 },
      },
    ],
    ...{ trades: 612, firstSlot: SLOT, firstMs: SLOT_TIME_MS },
    ...{ lastSlot: SLOT, lastMs: SLOT_TIME_MS },
  },
  tokenJudgements: [
    {
      ...{ token: MINT, rule: 'launch_sniper', kind: 'sniper', sinceSlot: SLOT },
      meaning: 'Bought at most two slots after the launch.',
      evidence: [{ measure: 'slots_after_launch', value: 1, threshold: 2 }],
    },
  ],
  firstFunding: {
    ...{ funder: FUNDER, funderClass: 'cex', lamports: asLamports(2_500_000_000n) },
    ...{ slot: SLOT, timeMs: SLOT_TIME_MS },
  },
  positions: [
    {
      ...{ mint: MINT, symbol: HOSTILE, decimals: 6, heldRaw: asRawAmount(6_000_000n) },
      ...{
        unknownBasisRaw: asRawAmount(0n),
        costUsd: usd(3_000n),
        realisedUsd: usd(-125n),
        hasKnownCost: true,
      },
      ...{ priceUsd: asPriceE18(7n * 10n ** 18n), buys: 3, sells: 1 },
      ...{ firstBuyMs: SLOT_TIME_MS, lastTradeMs: SLOT_TIME_MS },
    },
  ],
  positionCount: 1,
});

const payment = {
  ...{ slot: SLOT, signature: signature('payment'), lamports: asLamports(2_500_000_000n) },
  ...{ mint: null, amountRaw: null, decimals: null },
};

const LINKS = [
  {
    ...{ wallet: FUNDER, kind: 'funded_by' as const, class: 'cex' as const, strength: 1 },
    ...{ transactions: [payment], findings: [] },
  },
  {
    ...{ wallet: CHILD, kind: 'funded' as const, class: null, strength: 0.25 },
    ...{ transactions: [{ ...payment, signature: signature('gift') }], findings: [] },
  },
];

const FINAL = buildTrade({ signature: signature('final') });
const PENDING = buildTrade({
  ...{ signature: signature('pending'), txIndex: 8, isFinal: false, side: 'sell' },
});

/** The page of a wallet, with exact figures. */
describe.skipIf(!hasBrowser)('the page of a wallet', () => {
  let served: { readonly server: FastifyInstance; readonly origin: string };
  let browser: TestBrowser;
  const open = async (query = '', width = 1_280) =>
    await openStreamed(browser, served.origin, `/wallet/${WALLET}${query}`, {
      ...{ key: ADMIN_KEY, width },
    });

  beforeAll(async () => {
    const { wallets } = fakeApiDeps();
    [served, browser] = await Promise.all([
      listenWithPages({
        wallets: {
          ...wallets,
          find: async (wallet) => asOfFakeSlot(wallet === WALLET ? BOT : null),
          positions: async () => asOfFakeSlot({ positions: BOT.positions, next: null }),
          links: async ({ kinds }) =>
            asOfFakeSlot({ links: LINKS.filter(({ kind }) => kinds.includes(kind)), next: null }),
        },
        trades: { page: async () => asOfFakeSlot({ trades: [PENDING, FINAL], next: null }) },
      }),
      TestBrowser.launch(),
    ]);
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  test('says which rule decided, with its figures and every term of the score', async () => {
    const { page, problems } = await open();
    await page.getByText('A hard rule decided: swap rate.').waitFor();
    await page.getByText('At least 500 swaps within 24 h. No person does that.').waitFor();
    const evidence = page.getByRole('region', { name: 'Evidence of the rule' });
    expect(await shownText(evidence.locator('tbody tr'))).toMatch(/swaps 24h\s+612\s+500/);
    const terms = page.getByRole('region', { name: 'Terms of the automation score' });
    const rows = terms.locator('tbody tr');
    expect(await shownText(rows.nth(0))).toMatch(
      /share of short holds\s+0\.7\s+0\.3 to 0\.8\s+1\.6\s+1\.28/,
    );
    expect(await shownText(rows.nth(1))).toContain('Too few observations: it adds 0');
    // σ(−2 + 1.28) = σ(−0.72)
    await page.getByText(/is -0\.72; its likelihood is 0\.3274/).waitFor();
    await page.getByText('No position has been closed yet, so skill is unknown.').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('shows positions as the API answers them, and hostile names as text', async () => {
    const { page, problems } = await open();
    const row = page.locator('.table tbody tr').first();
    await row.waitFor();
    // 6 tokens at $7 that cost $30; one position is the whole value.
    const cells = await row.locator('td').allInnerTexts();
    expect(cells.slice(1, 10)).toEqual([
      ...['6', '$42', '100.0%', '$5', '$7', '$30', '−$1.25', '$12', '3 / 1'],
    ]);
    expect(await row.locator('.chain-text').textContent()).toMatch(/^<img src=x onerror=/);
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).toBe('Wallet · Mintscope');
    expect(problems).toEqual([]);
  });

  test('follows the wallet: its class changes without a reload', async () => {
    const { page, send, problems } = await open();
    await page.getByText('A hard rule decided: swap rate.').waitFor();
    const answer = await fetch(`${served.origin}/v1/wallets/${WALLET}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    const body = (await answer.json()) as { automation: object };
    const automation = { ...body.automation, label: 'organic', rule: null, rule_meaning: null };
    send('wallet', { data: { ...body, automation } });
    await page.getByText(/No hard rule holds and the score is below the limit/).waitFor();
    expect(problems).toEqual([]);
  });

  test('marks trades that are not final, and shows when a fork takes one back', async () => {
    const { page, send, problems } = await open('?tab=trades');
    const rows = page.locator('.table tbody tr');
    await page.locator('.table tr.pending').waitFor();
    expect(await rows.count()).toBe(2);
    expect(await shownText(page.locator('.table tr.pending'))).toContain('not final');
    send('trades', { data: TradeItem.present(PENDING, undefined), undo: true });
    await page.locator('.table tr.undone').waitFor();
    expect(await shownText(page.locator('.table tr.undone'))).toContain('taken back by a fork');
    expect(await page.locator('.table tr.pending').count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('keeps filters in the address, and shows a refusal at its field', async () => {
    const { page } = await open('?tab=trades');
    await page.getByRole('button', { name: 'Sells' }).click();
    expect(page.url()).toContain('side=sell');
    await page.getByLabel('Least value, USD').fill('a lot');
    await page.keyboard.press('Enter');
    const note = page.locator('.inline-form .field-note.error');
    await note.waitFor();
    expect(await note.textContent()).toContain('min_value_usd');
  });

  test('draws who funded it and whom it funded, each with its transaction', async () => {
    const { page, problems } = await open('?tab=funding');
    const tree = page.getByRole('group', { name: 'Funding tree' });
    // Read one after the other.
    await tree.locator(`[title="${FUNDER}"]`).waitFor();
    await tree.locator(`[title="${CHILD}"]`).waitFor();
    const titles = await tree
      .locator('.address-link')
      .evaluateAll((links) => links.map((link) => (link as { title: string }).title));
    expect(titles).toEqual([FUNDER, signature('payment'), WALLET, CHILD, signature('gift')]);
    expect(await shownText(tree)).toMatch(/Exchange[\s\S]*paid 2\.5 SOL[\s\S]*this wallet/);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('opens the transactions of a link with the keyboard, on a narrow screen too', async () => {
    const { page, problems } = await open('?tab=links', 390);
    await page.getByRole('button', { name: '1 tx' }).first().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.locator(`[title="${signature('payment')}"]`).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await isScrolledSideways(page)).toBe(false);
    expect(problems).toEqual([]);
  });
});
