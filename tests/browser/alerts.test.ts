import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { presentTriggerEvent } from '../../src/api/present/present-trigger.ts';
import type { StoredTrigger } from '../../src/model/trigger.ts';
import type { Webhook, WebhookDelivery } from '../../src/model/webhook.ts';
import { buildFiring, buildTrigger, ofPool, ofToken } from '../support/build-trigger.ts';
import { ADMIN_KEY, fakeApiDeps, MINT, POOL, READ_KEY } from '../support/fake-api-deps.ts';
import { hasBrowser, isScrolledSideways, seriousFindings, TestBrowser } from './support/browser.ts';
import { listenWithPages, openStreamed, shownText } from './support/fake-pages.ts';

const ID = '7d0f6b0e-51a7-4a53-9df8-6a3f2f9c1d11';
const DELIVERY_ID = '0d9b2c54-8a0e-4e57-9f0c-2f2b7f6f2b11';
const SECRET = 'whsec_shownonce';
const NOW_MS = 1_700_000_000_000;

function webhook(given: Partial<Webhook> = {}): Webhook {
  return {
    ...{ id: ID, accountId: 'account', url: 'https://hooks.example.com/', label: 'Desk' },
    ...{ eventTypes: ['trigger.fired'], createdAtMs: 1_000, disabledAtMs: null },
    ...{ disabledReason: null, failingSinceMs: null, failuresInRow: 0, pending: 0, dropped: 0 },
    ...{ previousSecretUntilMs: null, ...given },
  };
}

/** Refused with 503 at first, then not answered. */
const FAILED: WebhookDelivery = {
  ...{ id: DELIVERY_ID, webhookId: ID, eventType: 'trigger.fired', createdAtMs: NOW_MS },
  ...{ state: 'failed', nextAttemptMs: null, attemptCount: 2 },
  attempts: [
    { atMs: NOW_MS + 5_000, status: null, error: 'timeout', durationMs: 10_000 },
    { atMs: NOW_MS, status: 503, error: null, durationMs: 12 },
  ],
};

/** Holds what the API would store. */
const stored: {
  triggers: StoredTrigger[];
  webhooks: Webhook[];
  deliveries: WebhookDelivery[];
  calls: string[];
} = { triggers: [], webhooks: [], deliveries: [], calls: [] };

function deps(): Parameters<typeof listenWithPages>[0] {
  const { pools, triggers, webhooks } = fakeApiDeps();
  return {
    pools: {
      ...pools,
      // The only pool of every token.
      list: async () => {
        const { data, ...asOf } = await pools.listing(POOL);
        const items = data === null ? [] : [data];
        return { ...asOf, data: { items, total: items.length, next: null, isComplete: true } };
      },
    },
    triggers: {
      ...triggers,
      page: async () => ({ triggers: stored.triggers, total: stored.triggers.length }),
      add: async ({ accountId: _, ...request }) => {
        const trigger = buildTrigger(request);
        stored.triggers.push(trigger);
        return { kind: 'done', trigger };
      },
      update: async ({ triggerId }, given) => {
        const at = stored.triggers.findIndex((one) => one.triggerId === triggerId);
        if (at < 0) return { kind: 'unknown' };
        const trigger = buildTrigger({ triggerId, ...given, revision: 2 });
        stored.triggers[at] = trigger;
        return { kind: 'done', trigger };
      },
      remove: async ({ triggerId }) => {
        const [trigger] = stored.triggers.filter((one) => one.triggerId === triggerId);
        stored.triggers = stored.triggers.filter((one) => one.triggerId !== triggerId);
        return trigger === undefined ? { kind: 'unknown' } : { kind: 'done', trigger };
      },
      events: async () => ({
        ...{ events: [{ kind: 'fired', firing: buildFiring() }], lost: null, lastNumber: 1 },
      }),
    },
    webhooks: {
      ...webhooks,
      list: async () => stored.webhooks,
      add: async ({ url, eventTypes, label }) => {
        if (!url.startsWith('https://')) {
          return { kind: 'refused', reason: 'must begin with https://' };
        }
        const added = webhook({ url, eventTypes, label });
        stored.webhooks.push(added);
        return { kind: 'done', webhook: added, secret: SECRET };
      },
      rotate: async ({ webhookId }) => {
        stored.calls.push(`rotated ${webhookId}`);
        const rotated = webhook({ previousSecretUntilMs: NOW_MS + 86_400_000 });
        stored.webhooks = [rotated];
        return { webhook: rotated, secret: SECRET };
      },
      deliveries: async () => ({
        deliveries: stored.deliveries,
        total: stored.deliveries.length,
      }),
      redeliver: async ({ deliveryId }) => {
        stored.calls.push(`redelivered ${deliveryId}`);
        const [first = FAILED] = stored.deliveries;
        const delivery = { ...first, state: 'pending', nextAttemptMs: NOW_MS } as const;
        stored.deliveries = [delivery];
        return { kind: 'done', delivery };
      },
      remove: async () => {
        stored.calls.push('removed');
        return stored.webhooks.pop() ?? null;
      },
    },
  };
}

/** The page of alerts over the real checks of the API. */
describe.skipIf(!hasBrowser)('the page of alerts', () => {
  let served: { readonly server: FastifyInstance; readonly origin: string };
  let browser: TestBrowser;
  const open = async (query = '', { key = ADMIN_KEY, width = 1_280 } = {}) =>
    await openStreamed(browser, served.origin, `/alerts${query}`, { key, width });

  beforeAll(async () => {
    [served, browser] = await Promise.all([listenWithPages(deps()), TestBrowser.launch()]);
  });

  beforeEach(() => {
    Object.assign(stored, { triggers: [], webhooks: [], deliveries: [], calls: [] });
  });

  afterAll(async () => {
    await browser?.close();
    await served?.server.close();
  });

  test('watches a token, not the pool that is its primary one now, when its address is given', async () => {
    const { page, problems } = await open();
    await page.getByLabel('Name of the trigger').fill('of a token');
    await page.getByLabel('Pool or token address').fill(MINT);
    await page.getByText(/^A token: its primary pool/).waitFor();
    await page.getByLabel('Value 1').fill('10');
    await page.getByLabel('Value 1').press('Enter');
    await page.getByText('Added. It is judged').waitFor();
    expect(stored.triggers.map(({ target }) => target)).toEqual([ofToken(MINT)]);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByText(`of a token, token ${MINT}`).waitFor();
    // The page asks first whether the address is that of a pool.
    const isAsking = new RegExp(`status of 404 .* /v1/pools/${MINT}$`);
    expect(problems.filter((problem) => !isAsking.test(problem))).toEqual([]);
  });

  test('adds a trigger with the keyboard, with the figure of the pool beside the condition', async () => {
    const { page, send, problems } = await open();
    await page.getByLabel('Name of the trigger').fill('busy');
    await page.getByLabel('Pool or token address').fill(POOL);
    await page.getByText(/^A pool of/).waitFor();
    await page.getByLabel('Figure 1').selectOption('number_of_buys');
    await page.getByLabel('Value 1').fill('10');
    // The pool had no trades.
    await page.getByText('Would not fire now: 0 of 1 conditions hold.').waitFor();
    const answer = await fetch(`${served.origin}/v1/pools/${POOL}`, {
      headers: { 'x-api-key': ADMIN_KEY },
    });
    const { trigger_figures: figures } = (await answer.json()) as { trigger_figures: object };
    send('pool', { data: { ...figures, number_of_buys: 11 } });
    await page.getByText('Would fire now, as soon as it is added.').waitFor();
    await page.getByLabel('Value 1').press('Enter');
    await page.getByText('Added. It is judged').waitFor();
    await page.getByText('number of buys is above 10').waitFor();
    expect(stored.triggers.map(({ triggerId, target }) => [triggerId, target])).toEqual([
      ['busy', ofPool(POOL)],
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('adds a trigger on hits of a rule, whose fields come and go with its figure', async () => {
    const { page, problems } = await open('', { width: 390 });
    await page.getByLabel('Name of the trigger').fill('on hits');
    await page.getByLabel('Pool or token address').fill(POOL);
    await page.getByText(/^A pool of/).waitFor();
    await page.getByLabel('Comparison 1').selectOption('crosses_above');
    await page.getByLabel('Figure 1').selectOption('rule_hit_confidence');
    // A hit crosses nothing.
    expect(await page.getByLabel('Comparison 1').inputValue()).toBe('gt');
    expect(await page.getByLabel('Comparison 1').locator('option').count()).toBe(2);
    await page.getByLabel('Value 1').fill('0.5');
    await page.getByText(/^Would not fire now: it fires in each slot with a hit/).waitFor();
    // A rule must be named.
    await page.getByRole('button', { name: 'Add the trigger' }).click();
    const field = page.locator('.field', { has: page.getByLabel('Rule 1', { exact: true }) });
    await field.locator('.field-note.error').waitFor();
    await page.getByLabel('Rule 1', { exact: true }).fill('quick-launder');
    await page.getByLabel('Whose rule 1').selectOption('operator');
    expect(await isScrolledSideways(page)).toBe(false);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await seriousFindings(page)).toEqual([]);
    }
    await page.getByLabel('Value 1').press('Enter');
    await page.getByText('Added. It is judged').waitFor();
    await page
      .getByText("confidence of a hit of the operator's quick-launder is above 0.5")
      .first()
      .waitFor();
    expect(stored.triggers.map(({ conditions, hits }) => [conditions, hits])).toEqual([
      [
        [],
        [
          {
            ...{ field: 'rule_hit_confidence', operator: 'gt', value: '0.5' },
            ...{ rule: 'quick-launder', author: 'operator' },
          },
        ],
      ],
    ]);
    await page.getByLabel('Figure 1').selectOption('rule_hit_confidence');
    await page.getByLabel('Figure 1').selectOption('price_usd');
    expect(await page.getByLabel('Rule 1', { exact: true }).count()).toBe(0);
    // Chromium logs the refusal, which was expected, as a failed load.
    expect(problems.filter((one) => !one.includes('422'))).toEqual([]);
  });

  test('shows a refusal of the API at the field that it is about', async () => {
    const { page } = await open();
    await page.getByLabel('Name of the trigger').fill('half a buy');
    await page.getByLabel('Pool or token address').fill(POOL);
    await page.getByLabel('Figure 1').selectOption('number_of_buys');
    await page.getByLabel('Value 1').fill('1.5');
    await page.getByRole('button', { name: 'Add the trigger' }).click();
    const field = page.locator('.field', { has: page.getByLabel('Value 1') });
    await field.locator('.field-note.error').waitFor();
    expect(await shownText(field)).toContain('must be a whole number');
    expect(stored.triggers).toEqual([]);
  });

  test('removes a trigger only after it was asked', async () => {
    stored.triggers.push(buildTrigger());
    const { page } = await open('', { width: 390 });
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(stored.triggers).toHaveLength(1);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No triggers yet.').waitFor();
    expect(stored.triggers).toEqual([]);
    expect(await isScrolledSideways(page)).toBe(false);
  });

  test('changes the conditions of a trigger, and leaves it as it was when cancelled', async () => {
    stored.triggers.push(buildTrigger());
    const { page, problems } = await open();
    const edit = async () => await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await edit();
    await page.getByRole('heading', { name: 'Edit the trigger' }).waitFor();
    expect(await page.getByLabel('Value 1').inputValue()).toBe('10');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('Value 1').fill('99');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('number of buys is above 10').waitFor();
    await edit();
    // As it is stored, not as it was typed before.
    expect(await page.getByLabel('Value 1').inputValue()).toBe('10');
    await page.getByLabel('Value 1').fill('1.5');
    await page.getByRole('button', { name: 'Save the conditions' }).click();
    await page.locator('.field-note.error').getByText('must be a whole number').waitFor();
    await page.getByLabel('Value 1').fill('25');
    await page.getByRole('button', { name: 'Save the conditions' }).click();
    await page.getByText('number of buys is above 25').waitFor();
    await page.getByRole('heading', { name: 'New trigger' }).waitFor();
    expect(stored.triggers.map(({ conditions }) => conditions)).toEqual([
      [{ field: 'number_of_buys', operator: 'gt', value: '25' }],
    ]);
    // The refusal of half a buy.
    expect(problems.filter((problem) => !/status of 4\d\d/.test(problem))).toEqual([]);
  });

  test('shows firings with what was compared, and when a fork takes one back', async () => {
    const { page, send, problems } = await open('?tab=firings');
    await page.getByText('number of buys 11 is above 10').waitFor();
    const retraction = {
      ...{ accountId: 'account', number: 2, firedNumber: 1, triggerId: 'busy pool' },
      ...{ slot: buildFiring().slot, retractedAtMs: 1_700_000_001_000 },
    };
    send('triggers', { data: presentTriggerEvent({ kind: 'retracted', retraction }) });
    await page.locator('tr.undone').getByText('taken back by a fork').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('adds a webhook, shows its secret once, and deletes it after asking', async () => {
    const { page } = await open('?tab=webhooks');
    await page.getByLabel('URL').fill('http://hooks.example.com/');
    await page.getByRole('button', { name: 'Add the webhook' }).click();
    await page.locator('.field-note.error').getByText('url must begin with https://.').waitFor();
    await page.getByLabel('URL').fill('https://hooks.example.com/');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText(SECRET).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText(SECRET).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(stored.calls).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks.').waitFor();
    expect(stored.calls).toEqual(['removed']);
  });

  test('rotates the secret of a webhook only after asking, and shows the new one once', async () => {
    stored.webhooks.push(webhook());
    const { page, problems } = await open('?tab=webhooks');
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(stored.calls).toEqual([]);
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByText(SECRET).waitFor();
    expect(stored.calls).toEqual([`rotated ${ID}`]);
    await page.keyboard.press('Escape');
    await page.getByText(SECRET).waitFor({ state: 'detached' });
    await page.getByText('the old secret is valid until').waitFor();
    expect(problems).toEqual([]);
  });

  test('shows every attempt of a delivery, the newest first, and sends it again', async () => {
    stored.webhooks.push(webhook());
    stored.deliveries.push(FAILED);
    const { page, problems } = await open('?tab=webhooks');
    await page.getByRole('button', { name: 'Deliveries' }).click();
    const row = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
    await row.getByText('failed').waitFor();
    await row.getByRole('button', { name: '2, last timeout' }).click();
    const attempts = page.getByRole('dialog').getByRole('listitem');
    expect((await attempts.allInnerTexts()).map((text) => text.replace(/^.*: /, ''))).toEqual([
      'timeout, 10,000 ms',
      '503, 12 ms',
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'Redeliver' }).click();
    await row.getByText('pending').waitFor();
    expect(stored.calls).toEqual([`redelivered ${DELIVERY_ID}`]);
    expect(problems).toEqual([]);
  });

  test('explains to a key that may only read what it may not do', async () => {
    const { page } = await open('', { key: READ_KEY });
    await page.getByText('The key of this session may not change alerts').waitFor();
    expect(await page.getByRole('button', { name: 'Add the trigger' }).count()).toBe(0);
  });
});
