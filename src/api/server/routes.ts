import { asyncApiRoute } from '../routes/asyncapi.ts';
import { addBacktestRoute } from '../routes/backtests/add.ts';
import { cancelBacktestRoute } from '../routes/backtests/cancel.ts';
import { backtestRoute } from '../routes/backtests/find.ts';
import { listBacktestsRoute } from '../routes/backtests/list.ts';
import { batchFraudRoute } from '../routes/batch/fraud.ts';
import { batchIndicatorsRoute } from '../routes/batch/indicators.ts';
import { batchPoolsRoute } from '../routes/batch/pools.ts';
import { batchPricesRoute } from '../routes/batch/prices.ts';
import { batchTokensRoute } from '../routes/batch/tokens.ts';
import { batchWalletsRoute } from '../routes/batch/wallets.ts';
import { clonesRoute } from '../routes/clones.ts';
import { coverageRoute } from '../routes/coverage.ts';
import { createdTokensRoute } from '../routes/created-tokens.ts';
import { dashboardRoutes } from '../routes/dashboard.ts';
import { detectorsRoute } from '../routes/detectors.ts';
import { docsRoutes } from '../routes/docs.ts';
import { exportRoutes } from '../routes/export.ts';
import { firstBuyersRoute } from '../routes/first-buyers.ts';
import { fraudCheckRoute } from '../routes/fraud/check.ts';
import { classificationRoute } from '../routes/fraud/classification.ts';
import { classificationsRoute } from '../routes/fraud/classifications.ts';
import { classificationGraphRoute } from '../routes/fraud/graph.ts';
import { classificationReportRoute } from '../routes/fraud/report.ts';
import { reviewRoute } from '../routes/fraud/review.ts';
import { healthRoutes } from '../routes/health.ts';
import { holdersRoute } from '../routes/holders.ts';
import { holdersOverTimeRoute } from '../routes/holders-over-time.ts';
import { currentIndicatorsRoute } from '../routes/indicators/current.ts';
import { historicIndicatorsRoute } from '../routes/indicators/historic.ts';
import { indicatorsSocketRoute } from '../routes/indicators/ws.ts';
import { keyRoute } from '../routes/key.ts';
import { bundledTransactionsRoute } from '../routes/market/bundled-transactions.ts';
import { ohlcRoute } from '../routes/market/ohlc.ts';
import { marketDataSocketRoute } from '../routes/market-data/ws.ts';
import { mcpRoute } from '../routes/mcp.ts';
import { metricsRoute } from '../routes/metrics.ts';
import { openApiRoute } from '../routes/openapi.ts';
import { pictureRoute } from '../routes/picture.ts';
import { poolsRoute } from '../routes/pools/list.ts';
import { poolRoute } from '../routes/pools/pool.ts';
import { referenceRoutes } from '../routes/reference.ts';
import { ruleHitsRoute } from '../routes/rules/hits.ts';
import { listRulesRoute } from '../routes/rules/list.ts';
import { publishRuleRoute } from '../routes/rules/publish.ts';
import { ruleStatisticsRoute } from '../routes/rules/statistics.ts';
import { withdrawRuleRoute } from '../routes/rules/withdraw.ts';
import { sessionRoutes, simulatedSessionRoute } from '../routes/session.ts';
import { signalsRoute } from '../routes/signals/list.ts';
import { signalRoute } from '../routes/signals/signal.ts';
import { signalStatisticsRoute } from '../routes/signals/statistics.ts';
import { signalsSocketRoute } from '../routes/signals/ws.ts';
import { importPostsRoute } from '../routes/socials/import.ts';
import { socialPostsRoute } from '../routes/socials/posts.ts';
import { socialSeriesRoutes } from '../routes/socials/series.ts';
import { socialSummaryRoute } from '../routes/socials/summary.ts';
import { streamEventsRoute } from '../routes/stream/sse.ts';
import { streamTicketRoute } from '../routes/stream/ticket.ts';
import { streamSocketRoute } from '../routes/stream/ws.ts';
import { tokenRoute } from '../routes/token.ts';
import { tokenRuleHitsRoute } from '../routes/token-rule-hits.ts';
import { tokensRoute } from '../routes/tokens.ts';
import { topTradersRoute } from '../routes/top-traders.ts';
import { tradesRoute } from '../routes/trades.ts';
import { addTriggerRoute } from '../routes/triggers/add.ts';
import { firingsRoute } from '../routes/triggers/firings.ts';
import { listTriggersRoute } from '../routes/triggers/list.ts';
import { removeTriggerRoute } from '../routes/triggers/remove.ts';
import { updateTriggerRoute } from '../routes/triggers/update.ts';
import { triggersSocketRoute } from '../routes/triggers/ws.ts';
import { udfConfigRoutes } from '../routes/udf/config.ts';
import { udfHistoryRoute } from '../routes/udf/history.ts';
import { udfMarksRoute } from '../routes/udf/marks.ts';
import { udfSymbolRoutes } from '../routes/udf/symbols.ts';
import { walletRoute } from '../routes/wallet.ts';
import { walletLinksRoute } from '../routes/wallet-links.ts';
import { walletPositionsRoute } from '../routes/wallet-positions.ts';
import { walletTradesRoute } from '../routes/wallet-trades.ts';
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
  topTradersRoute,
  firstBuyersRoute,
  holdersOverTimeRoute,
  clonesRoute,
  pictureRoute,
  tokensRoute,
  poolsRoute,
  poolRoute,
  walletRoute,
  walletTradesRoute,
  walletPositionsRoute,
  walletLinksRoute,
  createdTokensRoute,
  tradesRoute,
  exportRoutes,
  currentIndicatorsRoute,
  historicIndicatorsRoute,
  bundledTransactionsRoute,
  ohlcRoute,
  udfConfigRoutes,
  udfSymbolRoutes,
  udfHistoryRoute,
  udfMarksRoute,
  addTriggerRoute,
  updateTriggerRoute,
  removeTriggerRoute,
  listTriggersRoute,
  firingsRoute,
  triggersSocketRoute,
  publishRuleRoute,
  listRulesRoute,
  withdrawRuleRoute,
  ruleHitsRoute,
  tokenRuleHitsRoute,
  ruleStatisticsRoute,
  detectorsRoute,
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
  streamSocketRoute,
  streamEventsRoute,
  streamTicketRoute,
  signalsRoute,
  signalStatisticsRoute,
  signalRoute,
  signalsSocketRoute,
  addBacktestRoute,
  listBacktestsRoute,
  backtestRoute,
  cancelBacktestRoute,
  fraudCheckRoute,
  classificationsRoute,
  classificationRoute,
  classificationGraphRoute,
  classificationReportRoute,
  reviewRoute,
  socialSeriesRoutes,
  socialSummaryRoute,
  socialPostsRoute,
  importPostsRoute,
  batchPricesRoute,
  batchTokensRoute,
  batchPoolsRoute,
  batchIndicatorsRoute,
  batchWalletsRoute,
  batchFraudRoute,
  keyRoute,
  sessionRoutes,
  simulatedSessionRoute,
  coverageRoute,
  healthRoutes,
  metricsRoute,
  openApiRoute,
  asyncApiRoute,
  mcpRoute,
  docsRoutes,
  referenceRoutes,
  dashboardRoutes,
];
