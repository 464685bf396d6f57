import { clonesRoute } from '../routes/clones.ts';
import { coverageRoute } from '../routes/coverage.ts';
import { docsRoutes } from '../routes/docs.ts';
import { fraudCheckRoute } from '../routes/fraud/check.ts';
import { classificationRoute } from '../routes/fraud/classification.ts';
import { reviewRoute } from '../routes/fraud/review.ts';
import { healthRoutes } from '../routes/health.ts';
import { holdersRoute } from '../routes/holders.ts';
import { currentIndicatorsRoute } from '../routes/indicators/current.ts';
import { historicIndicatorsRoute } from '../routes/indicators/historic.ts';
import { indicatorsSocketRoute } from '../routes/indicators/ws.ts';
import { bundledTransactionsRoute } from '../routes/market/bundled-transactions.ts';
import { ohlcRoute } from '../routes/market/ohlc.ts';
import { marketDataSocketRoute } from '../routes/market-data/ws.ts';
import { metricsRoute } from '../routes/metrics.ts';
import { openApiRoute } from '../routes/openapi.ts';
import { signalsRoute } from '../routes/signals/list.ts';
import { signalRoute } from '../routes/signals/signal.ts';
import { signalStatisticsRoute } from '../routes/signals/statistics.ts';
import { signalsSocketRoute } from '../routes/signals/ws.ts';
import { importPostsRoute } from '../routes/socials/import.ts';
import { socialPostsRoute } from '../routes/socials/posts.ts';
import { socialSeriesRoutes } from '../routes/socials/series.ts';
import { socialSummaryRoute } from '../routes/socials/summary.ts';
import { tokenRoute } from '../routes/token.ts';
import { tokensRoute } from '../routes/tokens.ts';
import { addTriggerRoute } from '../routes/triggers/add.ts';
import { firingsRoute } from '../routes/triggers/firings.ts';
import { listTriggersRoute } from '../routes/triggers/list.ts';
import { removeTriggerRoute } from '../routes/triggers/remove.ts';
import { updateTriggerRoute } from '../routes/triggers/update.ts';
import { triggersSocketRoute } from '../routes/triggers/ws.ts';
import { walletRoute } from '../routes/wallet.ts';
import { addWebhookRoute } from '../routes/webhooks/add.ts';
import { deliveriesRoute } from '../routes/webhooks/deliveries.ts';
import { enableWebhookRoute } from '../routes/webhooks/enable.ts';
import { listWebhooksRoute } from '../routes/webhooks/list.ts';
import { pingWebhookRoute } from '../routes/webhooks/ping.ts';
import { redeliverRoute } from '../routes/webhooks/redeliver.ts';
import { removeWebhookRoute } from '../routes/webhooks/remove.ts';
import { rotateSecretRoute } from '../routes/webhooks/rotate-secret.ts';
import { webhookRoute } from '../routes/webhooks/webhook.ts';

/**
 * All endpoints, in the order of the OpenAPI document. Each function takes its dependencies and
 * returns the plugin that registers the endpoint.
 */
export const ROUTES = [
  tokenRoute,
  holdersRoute,
  clonesRoute,
  tokensRoute,
  walletRoute,
  currentIndicatorsRoute,
  historicIndicatorsRoute,
  bundledTransactionsRoute,
  ohlcRoute,
  addTriggerRoute,
  updateTriggerRoute,
  removeTriggerRoute,
  listTriggersRoute,
  firingsRoute,
  triggersSocketRoute,
  addWebhookRoute,
  listWebhooksRoute,
  webhookRoute,
  removeWebhookRoute,
  rotateSecretRoute,
  enableWebhookRoute,
  pingWebhookRoute,
  deliveriesRoute,
  redeliverRoute,
  marketDataSocketRoute,
  indicatorsSocketRoute,
  signalsRoute,
  signalStatisticsRoute,
  signalRoute,
  signalsSocketRoute,
  fraudCheckRoute,
  classificationRoute,
  reviewRoute,
  socialSeriesRoutes,
  socialSummaryRoute,
  socialPostsRoute,
  importPostsRoute,
  coverageRoute,
  healthRoutes,
  metricsRoute,
  openApiRoute,
  docsRoutes,
];
