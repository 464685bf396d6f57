import { CurrentClassifications } from '../ingestion/current-classifications.ts';
import { CurrentCreatedTokens } from '../ingestion/current-created-tokens.ts';
import { CurrentFindings } from '../ingestion/current-findings.ts';
import { CurrentFindingsWithHits } from '../ingestion/current-findings-with-hits.ts';
import { CurrentFirstBuys } from '../ingestion/current-first-buys.ts';
import { currentHolderCounts } from '../ingestion/current-holder-counts.ts';
import { CurrentIndicators } from '../ingestion/current-indicators.ts';
import { CurrentRuleHits } from '../ingestion/current-rule-hits.ts';
import type { PointReads } from '../ingestion/point-reads.ts';
import type { UnwrittenRows } from '../ingestion/unwritten-rows.ts';
import type { Address } from '../model/units.ts';
import type { Service } from '../service/app.ts';
import { findingGraph, type GraphSources } from '../service/finding-graphs.ts';
import { type FirstBuyerSources, firstBuyers } from '../service/first-buyers.ts';
import type { FindingReads } from '../service/fraud-service.ts';
import { type LinkSources, walletLinks } from '../service/wallet-link-pages.ts';
import type { LiveEngine } from './live-rows.ts';
import type { Publisher } from './publisher.ts';
import type { ServiceAnswers } from './service-reads.ts';

/** Reads about the wallets of a token. */
export function tokenReads(
  store: Service['store'],
  points: PointReads,
  publisher: Publisher,
): Omit<ServiceAnswers['tokens'], 'search'> {
  const withToken = <Page>(mint: Address, read: (engine: LiveEngine) => Page) =>
    publisher.asOf((engine) => {
      const token = engine.token(mint);
      return token === null ? null : { token, page: read(engine) };
    });
  const buyers: FirstBuyerSources = {
    page: (query) => points.read((rows) => new CurrentFirstBuys(store.firstBuys, rows).page(query)),
    standings: (mint, wallets) =>
      publisher.asOf((engine) => {
        const token = engine.token(mint);
        return token && { token, standings: engine.walletReads.standings(mint, wallets) };
      }),
  };
  return {
    holderPage: (query) => withToken(query.mint, (engine) => engine.holderPage(query)),
    topTraders: (query) => withToken(query.mint, (engine) => engine.walletReads.topTraders(query)),
    firstBuyers: (query) => firstBuyers(buyers, query),
    holderCounts(query) {
      const pools = publisher.current((engine) => engine.walletReads.poolsOf(query.mint));
      return points.read((rows) =>
        currentHolderCounts(new CurrentIndicators(store.indicators, rows), pools, query),
      );
    },
  };
}

/** Reads about one wallet. */
export function walletReads(
  store: Service['store'],
  points: PointReads,
  publisher: Publisher,
): ServiceAnswers['wallets'] {
  const links: LinkSources = {
    recorded: (wallet) => publisher.asOf((engine) => engine.walletReads.recordedLinks(wallet)),
    findings: (query) => findingReads(store, points, publisher).page(query),
  };
  return {
    find: (address) => publisher.asOf((engine) => engine.wallet(address)),
    positions: (query) => publisher.asOf((engine) => engine.walletReads.positions(query)),
    links: (query) => walletLinks(links, query),
    createdTokens: (query) =>
      points.read((rows) => new CurrentCreatedTokens(store.createdTokens, rows).page(query)),
  };
}

/** Reads of findings: stored ones merged with unwritten ones, and their graphs. */
export function findingReads(
  store: Service['store'],
  points: PointReads,
  publisher: Publisher,
): FindingReads {
  const current = (unwritten: UnwrittenRows) =>
    new CurrentClassifications(store.classifications, unwritten);
  const findings: Pick<FindingReads, 'ofMint' | 'ofMints' | 'find'> = {
    ofMint: (query) => points.read((rows) => current(rows).ofMint(query)),
    ofMints: (query) => points.read((rows) => current(rows).ofMints(query)),
    find: (id) => points.read((rows) => current(rows).find(id)),
  };
  const links: GraphSources['links'] = (mint, wallets) =>
    publisher.asOf((engine) => engine.walletReads.links(mint, wallets));
  return {
    ...findings,
    page: (query) =>
      points.read((rows) => new CurrentFindings(store.findings, store.reviews, rows).page(query)),
    pageWithHits: (query, authors) =>
      points.read((rows) =>
        new CurrentFindingsWithHits(
          new CurrentFindings(store.findings, store.reviews, rows),
          new CurrentRuleHits(store.ruleHits, rows),
        ).page(query, authors),
      ),
    ofMintWithHits: (query, hits) =>
      points.read(async (rows) => ({
        classifications: await current(rows).ofMint(query),
        hits: (await new CurrentRuleHits(store.ruleHits, rows).page(hits)).hits,
      })),
    graph: (id) => findingGraph({ findings, links, log: store.log }, id),
  };
}
