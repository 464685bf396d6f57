import { parquetWriteBuffer } from 'hyparquet-writer';
import type { ApiDeps, BundleItem } from '../../../src/api/deps.ts';
import type { BacktestJob } from '../../../src/model/backtest-job.ts';
import type { ListedRule } from '../../../src/model/rule-listing.ts';
import type { Lamports, Signature } from '../../../src/model/units.ts';
import type { Webhook, WebhookDelivery } from '../../../src/model/webhook.ts';
import { buildTrigger } from '../build-trigger.ts';
import { asOfFakeSlot, fakeApiDeps, fakeDetail, MINT, WALLET } from '../fake-api-deps.ts';

export const WEBHOOK_ID = '2ed6657d-e927-468b-95e1-2665a8aea6a2';
const BACKTEST: BacktestJob = {
  ...{ id: WEBHOOK_ID, name: 'any-trade', state: 'done', progress: 1 },
  ...{ createdAtMs: 1_000, endedAtMs: 2_000, reason: null, report: null },
};

export const DELIVERY_ID = '9a3f0f5e-0000-5000-8000-00000000000b';

const WEBHOOK: Webhook = {
  id: WEBHOOK_ID,
  accountId: 'account of writer',
  url: 'https://example.com/hook',
  label: '',
  eventTypes: ['trigger.fired'],
  createdAtMs: 1_000,
  disabledAtMs: null,
  disabledReason: null,
  failingSinceMs: null,
  failuresInRow: 0,
  pending: 0,
  dropped: 0,
  previousSecretUntilMs: null,
};

const DELIVERY: WebhookDelivery = {
  id: DELIVERY_ID,
  webhookId: WEBHOOK_ID,
  eventType: 'trigger.fired',
  createdAtMs: 1_000,
  state: 'pending',
  nextAttemptMs: 7_000,
  attempts: [],
  attemptCount: 0,
};

const RULE: ListedRule = {
  author: 'account of writer',
  name: 'any-trade',
  version: 1,
  hash: '0'.repeat(64),
  kind: 'alert',
  title: 'Any trade',
  scope: 'pool_minute',
  content: '{}',
  isJudged: true,
};

const BUNDLED: BundleItem = {
  signature: '5'.repeat(88) as Signature,
  owner: WALLET,
  lamports: 1n as Lamports,
};

/** A Parquet file without rows. */
function emptyParquet(): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [{ name: 'slot', data: [], type: 'INT64', offsetIndex: false }],
    }),
  );
}

/** Dependencies in which every known address has what any operation asks for. */
export function richDeps(): ApiDeps {
  const deps = fakeApiDeps();
  const secret = { webhook: WEBHOOK, secret: 'whsec_secret' };
  const done = async () => ({ kind: 'done', trigger: buildTrigger() }) as const;
  const sent = async () => ({ kind: 'done', delivery: DELIVERY }) as const;
  return {
    ...deps,
    bundles: {
      page: async ({ mint }) =>
        asOfFakeSlot(mint === MINT ? { items: [BUNDLED], total: 1 } : { items: [], total: 0 }),
      groups: async () => asOfFakeSlot({ groups: [], total: 0 }),
    },
    offchain: {
      ...deps.offchain,
      thumbnailOf: (mint) =>
        mint === MINT ? { hash: 'b17e5', bytes: Buffer.from('RIFF\0\0\0\0WEBP') } : null,
    },
    exports: {
      ...deps.exports,
      begin: async () => asOfFakeSlot({ point: null, columns: ['slot'], empty: emptyParquet() }),
    },
    rules: {
      ...deps.rules,
      publish: async () => ({ kind: 'changed', rule: RULE }),
      withdraw: async () => RULE,
    },
    triggers: { ...deps.triggers, add: done, update: done, remove: done },
    backtests: {
      ...deps.backtests,
      add: async () => ({ kind: 'queued', job: BACKTEST }),
      list: async () => [BACKTEST],
      find: async () => BACKTEST,
      cancel: async () => BACKTEST,
    },
    webhooks: {
      ...deps.webhooks,
      add: async () => ({ kind: 'done', ...secret }),
      find: async () => WEBHOOK,
      remove: async () => WEBHOOK,
      rotate: async () => secret,
      enable: async () => WEBHOOK,
      test: sent,
      deliveries: async () => ({ deliveries: [DELIVERY], total: 1 }),
      redeliver: sent,
    },
    fraud: {
      ...deps.fraud,
      review: async () => ({ kind: 'taken', detail: fakeDetail() }),
    },
  };
}
