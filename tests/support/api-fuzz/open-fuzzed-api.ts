import type { FastifyInstance } from 'fastify';
import type { SlotFacts } from '../../../src/model/slot-facts.ts';
import type { Address } from '../../../src/model/units.ts';
import type { Service } from '../../../src/service/app.ts';
import { dataFolderAt } from '../../../src/store/data-folder.ts';
import { openOffchainPlane } from '../../../src/store/offchain/offchain-plane.ts';
import { SocialStore } from '../../../src/store/offchain/social-store.ts';
import { ThumbnailTable } from '../../../src/store/offchain/thumbnail-table.ts';
import { TokenFacts } from '../../../src/store/offchain/token-facts.ts';
import { apiInThread } from '../api-in-thread.ts';
import { buildClassification, classificationId } from '../build-classification.ts';
import { buildChanges } from '../build-records.ts';
import { buildOutcome, buildSignal } from '../build-signal.ts';
import { temporaryFolder } from '../command-line.ts';
import { finalSlots, openMarketService } from '../market-ingestion.ts';
import { simulatedSlots } from '../simulated-slots.ts';

const SLOTS = 160;
/** Number of findings: each can pass through the steps of a review once. */
const FINDINGS = 120;

/** The production API over a small simulated market, in the test's thread and not listening. */
export interface FuzzedApi {
  readonly app: FastifyInstance;
  readonly service: Service;
  readonly mints: readonly Address[];
  readonly pools: readonly Address[];
  readonly wallets: readonly Address[];
  readonly findings: readonly string[];
  readonly lastSlot: number;
  /** All that the service has applied. */
  readonly slots: readonly SlotFacts[];
  close(): Promise<void>;
}

/** With `openKey`, as a simulated market whose pages begin sessions of this key without it. */
export async function openFuzzedApi(openKey?: string): Promise<FuzzedApi> {
  const dataDir = temporaryFolder();
  const service = await openMarketService(dataDir);
  const slots = simulatedSlots('fuzz', SLOTS);
  await service.ingestion.ingest(finalSlots(slots));
  const lastSlot = service.ingestion.engine.lastSlot ?? 0;
  const swaps = slots.flatMap(({ transactions }) =>
    transactions.flatMap(({ events }) => events.filter((event) => event.kind === 'swap')),
  );
  const firstOf = (values: readonly (Address | null)[]) =>
    [...new Set(values)].filter((value) => value !== null).slice(-6);
  const mints = await bundledFirst(service, firstOf(swaps.map(({ baseMint }) => baseMint)));
  const findings = Array.from({ length: FINDINGS }, (_, index) => classificationId(index + 1));
  await writeFindings(service, mints, findings, lastSlot);
  writeOffchain(dataDir, mints);
  const simulation = { seed: 'fuzz', startMs: 0 };
  const app = await apiInThread(service, {
    dataDir,
    rateLimitBurst: 10_000_000,
    ...(openKey === undefined ? {} : { simulation, openKey }),
  });
  await app.ready();
  return {
    ...{ app, service, mints, findings, lastSlot, slots },
    pools: firstOf(swaps.map(({ pool }) => pool)),
    wallets: firstOf(swaps.map(({ trader }) => trader)),
    close: async () => {
      await app.close();
      await service.close();
    },
  };
}

/** Of the mints one with bundled transactions first: it has findings and posts, too. */
async function bundledFirst(
  { store }: Service,
  mints: readonly Address[],
): Promise<readonly Address[]> {
  for (const mint of mints) {
    const order = { orderBy: 'slot', orderDir: 'desc' } as const;
    const { total } = await store.bundles.page({
      ...{ mint, ...order, offset: 0, limit: 1, asOfSlot: null },
    });
    if (total > 0) return [mint, ...mints.filter((other) => other !== mint)];
  }
  return mints;
}

/** Rows that a market of one minute does not produce by itself. */
async function writeFindings(
  { store }: Service,
  mints: readonly Address[],
  ids: readonly string[],
  slot: number,
): Promise<void> {
  const [mint] = mints;
  if (mint === undefined) throw new Error('the market has no token');
  const classifications = ids.map((id) => buildClassification({ id, finding: { mint } }));
  const signals = [1, 2, 3].map((rowId) => buildSignal({ rowId, mint }));
  const outcomes = [1, 2, 3].map((rowId) => buildOutcome({ rowId }));
  const changes = buildChanges(slot, { classifications, signals, outcomes });
  await store.writer.writeBatch({ slots: [], changes: [changes], epoch: store.cursor.epoch });
}

/** The first token is tracked, and has a document with a picture. */
function writeOffchain(dataDir: string, [mint]: readonly Address[]): void {
  const database = openOffchainPlane(dataFolderAt(dataDir).offchainFile);
  const sinceMs = Date.UTC(2026, 0, 1);
  if (mint !== undefined) {
    const facts = new TokenFacts(database);
    const tracked = { mint, trackingSinceMs: sinceMs, symbol: 'CAT', isLiquid: true };
    facts.noteTracked(tracked);
    new SocialStore(database).track({ ...tracked, officialLinks: [] }, sinceMs);
    const texts = { name: 'Cat', symbol: 'CAT', createdSlot: null, createdAtMs: null };
    facts.noteToken({ mint, uri: 'https://example.com/cat', ...texts }, 'document', sinceMs);
    const document = { contentHash: 'd0c', fault: null, description: null, image: null, links: [] };
    facts.noteDocument('document', { ...document, ...texts, pictureKey: 'picture' }, sinceMs);
    const content = { kind: 'hashed', hash64: '0f'.repeat(8), hash32: '0f'.repeat(4) } as const;
    facts.notePicture('picture', 'b17e5', content, sinceMs);
    const thumbnail = Buffer.from('RIFF\0\0\0\0WEBP');
    const thumbnails = { 64: thumbnail, 128: thumbnail, 256: thumbnail };
    new ThumbnailTable(database).put('b17e5', thumbnails, sinceMs);
  }
  database.close();
}
