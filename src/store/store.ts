import { existsSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { SharedTables } from '../model/shared-rows.ts';
import { StateFolders } from './checkpoints/state-folders.ts';
import { KeyTable, type KeyTableOptions } from './control/api-keys.ts';
import { StoredBacktests } from './control/backtests.ts';
import { openControlPlane } from './control/control-plane.ts';
import { CursorTable } from './control/cursor.ts';
import { DriftTable } from './control/drift-book.ts';
import { FiringLog } from './control/firings.ts';
import { lockFolder } from './control/folder-lock.ts';
import { GapLedger } from './control/gap-ledger.ts';
import { metaTexts } from './control/meta-texts.ts';
import { ReplicaRecordTable } from './control/replica-record.ts';
import { ReviewTable } from './control/reviews.ts';
import { StoredRules } from './control/rules.ts';
import { SharedControl } from './control/shared/shared-control.ts';
import { StoredTriggers } from './control/triggers.ts';
import { WebhookCandidates } from './control/webhook-candidates.ts';
import { WebhookOutbox } from './control/webhook-outbox.ts';
import { WebhookTable } from './control/webhooks.ts';
import { WriterFence } from './control/writer-fence.ts';
import { type DataFolder, prepareDataFolder } from './data-folder.ts';
import { type DataPlane, openDataPlane, type ServerLocation } from './data-plane.ts';
import { Epochs } from './epochs.ts';
import type { StoredExports } from './exports/stored-exports.ts';
import { Layers } from './layers.ts';
import { LogRemoval } from './log-removal.ts';
import { LogStart } from './log-start.ts';
import type { StoredBundleGroups } from './reads/bundle-groups.ts';
import type { BundlePages } from './reads/bundles.ts';
import type { StoredCandles } from './reads/candles.ts';
import type { ChangedRecords } from './reads/changed-records.ts';
import type { StoredClassifications } from './reads/classifications.ts';
import type { StoredCreatedTokens } from './reads/created-tokens.ts';
import type { StoredFindings } from './reads/findings.ts';
import type { StoredFirstBuys } from './reads/first-buys.ts';
import type { StoredIndicators } from './reads/indicators.ts';
import type { MarketHistory } from './reads/market-history.ts';
import { openReads } from './reads/open-reads.ts';
import type { StoredRecords } from './reads/records.ts';
import type { StoredRuleHits } from './reads/rule-hits.ts';
import type { StoredSignals } from './reads/signals.ts';
import { SlotLog } from './reads/slot-log.ts';
import type { StoredTokens } from './reads/tokens.ts';
import type { StoredTradeLabels } from './reads/trade-labels.ts';
import type { StoredTrades } from './reads/trades.ts';
import { inTransaction } from './sqlite/sqlite-transaction.ts';
import { storeIdOf } from './store-id.ts';
import { StoreOwner } from './store-owner.ts';
import { PartRecord } from './verification/part-record.ts';
import { Verification } from './verification/verification.ts';
import { SlotWriter, type WriteGuard } from './writes/slot-writer.ts';

export interface StoreOptions {
  /** The folder for all data of the service. */
  readonly dataDir: string;
  /** A ClickHouse server for the data plane instead of the engine embedded in the folder. */
  readonly server?: ServerLocation | null;
  readonly keys?: KeyTableOptions;
  /** Called once the folder is locked and its control plane is migrated. */
  readonly onControlPlane?: () => void;
}

/** All persistent data. */
export interface Store {
  readonly log: SlotLog;
  /** Where the log begins, once old slots were dropped. */
  readonly logStart: LogStart;
  readonly removal: LogRemoval;
  readonly writer: SlotWriter;
  readonly epochs: Epochs;
  /** Rows of a fold that replaces another from a slot on. */
  readonly layers: Layers;
  readonly candles: StoredCandles;
  readonly indicators: StoredIndicators;
  readonly bundles: BundlePages;
  readonly bundleGroups: StoredBundleGroups;
  readonly trades: StoredTrades;
  readonly tradeLabels: StoredTradeLabels;
  /** Whole tables for downloads. */
  readonly exports: StoredExports;
  readonly tokens: StoredTokens;
  readonly records: StoredRecords;
  /** Tokens and pools that changed between two slots. */
  readonly changed: ChangedRecords;
  /** Rows of the last day, for lists of pools and tokens. */
  readonly market: MarketHistory;
  readonly classifications: StoredClassifications;
  /** Lists of the findings of all mints. */
  readonly findings: StoredFindings;
  /** Tokens by the wallet that created them. */
  readonly createdTokens: StoredCreatedTokens;
  /** First purchases of wallets by token. */
  readonly firstBuys: StoredFirstBuys;
  readonly signals: StoredSignals;
  readonly ruleHits: StoredRuleHits;
  /** Published rules of accounts. */
  readonly rules: StoredRules;
  /** Backtests of accounts, and the number of their tries. */
  readonly backtests: StoredBacktests;
  /** Reviews of classifications by users. */
  readonly reviews: ReviewTable;
  readonly triggers: StoredTriggers;
  readonly firings: FiringLog;
  readonly webhooks: WebhookTable;
  /** Deliveries to webhooks; `webhookCandidates` are events of slots that are not yet final. */
  readonly outbox: WebhookOutbox;
  readonly webhookCandidates: WebhookCandidates;
  /** State of the program drift monitor between runs. */
  readonly drift: DriftTable;
  readonly keys: KeyTable;
  /** What is remembered of comparisons with other replicas. */
  readonly replica: ReplicaRecordTable;
  /** The tables that all replicas of several machines have. */
  readonly shared: SharedTables;
  readonly cursor: CursorTable;
  /** The state of every slot, including the missing ones. Written through the cursor. */
  readonly gaps: GapLedger;
  /** States of the fold, which make it unnecessary to fold the whole log at a start. */
  readonly states: StateFolders;
  /** Where figures of lists may be that are not in memory. */
  readonly marketPagesFile: string;
  /** Checks that all written data is still present. */
  readonly verification: Verification;
  /** Runs several writes of the control plane in one transaction. Throws StoreError. */
  together<Result>(work: () => Result): Result;
  health(): Promise<StoreHealth>;
  /** Waits for running queries. Afterwards another process may open the folder. */
  /** Equal for folders that were restored from each other's backups. */
  readonly id: string;
  /** What opening the folder changed, as sentences. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

export interface StoreHealth {
  readonly isWritable: boolean;
  readonly isReadable: boolean;
  /** A description of the problem, or "ok". */
  readonly detail: string;
}

/**
 * Opens the store for exclusive use by this process. Throws StoreError, with a message that says
 * what to do, when the folder is in use, contains foreign files, is damaged or was written by
 * another version.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const folder = prepareDataFolder(options.dataDir);
  const lock = lockFolder(folder.path, folder.lockFile);
  let control: DatabaseSync | null = null;
  let plane: DataPlane | null = null;
  try {
    const notices = removeObsolete(folder);
    control = openControlPlane(folder.controlFile);
    options.onControlPlane?.();
    plane = await openDataPlane(options.server ?? { dataDir: folder.engineFolder });
    const owner = await claimed(plane, control, options.server ?? null);
    return await assemble({ folder, plane, control, lock, owner, notices }, options.keys);
  } catch (error) {
    await plane?.close();
    control?.close();
    lock.release();
    throw error;
  }
}

/** Removes wallet profiles and snapshots of earlier versions; returns sentences for the operator. */
function removeObsolete({ spillFolder, snapshotFolder }: DataFolder): string[] {
  rmSync(spillFolder, { recursive: true, force: true });
  if (!existsSync(snapshotFolder)) return [];
  rmSync(snapshotFolder, { recursive: true, force: true });
  return [
    `The snapshots of an earlier version in ${snapshotFolder} were removed: this version stores ` +
      'checkpoints instead, and computes the state from the log once.',
  ];
}

/** Claims a server's database. Null for the embedded engine, which the folder lock protects. */
async function claimed(
  plane: DataPlane,
  control: DatabaseSync,
  server: ServerLocation | null,
): Promise<StoreOwner | null> {
  if (server === null) return null;
  const owner = new StoreOwner(plane.writer, storeIdOf(control), `The database at ${server.url}`);
  await owner.claim();
  return owner;
}

interface StoreParts {
  readonly folder: DataFolder;
  readonly plane: DataPlane;
  readonly control: DatabaseSync;
  readonly lock: { release(): void };
  readonly owner: StoreOwner | null;
  readonly notices: readonly string[];
}

async function assemble(
  { folder, plane, control, lock, owner, notices }: StoreParts,
  keyOptions: KeyTableOptions | undefined,
): Promise<Store> {
  const fence = WriterFence.take(control);
  const gaps = new GapLedger(control);
  // Tables of a cluster have parts on several machines, and each machine lists only its own.
  const record = new PartRecord(control, plane.deployment.cluster === null ? plane.writer : null);
  const cursor = new CursorTable(control, { fence, gaps, parts: record });
  const guard: WriteGuard = async () => {
    fence.assertHeld();
    await owner?.assertHeld();
  };
  const meta = metaTexts(control);
  const logStart = await LogStart.open({ lane: plane.writer, meta, guard });
  const writer = new SlotWriter(plane.writer, guard, () => record.observe());
  const verification = new Verification({
    control,
    writer: plane.writer,
    heavy: plane.heavy,
    cursor,
    gaps,
    record,
    logStart,
    isControlNew: fence.epoch === 1 && cursor.slot === null,
  });
  const states = new StateFolders(folder.stateFolder, guard);
  const reviews = new ReviewTable(control);
  return {
    get id() {
      return storeIdOf(control);
    },
    notices,
    log: new SlotLog(plane.heavy, logStart),
    logStart,
    removal: new LogRemoval(plane.writer, plane.deployment, guard),
    writer,
    epochs: new Epochs(plane.heavy, plane.deployment),
    layers: new Layers({
      lane: plane.heavy,
      deployment: plane.deployment,
      guard,
      onStored: () => record.observe(),
    }),
    ...openReads(plane, cursor, reviews),
    reviews,
    triggers: new StoredTriggers(control),
    rules: new StoredRules(control),
    backtests: new StoredBacktests(control),
    firings: new FiringLog(control),
    webhooks: new WebhookTable(control),
    outbox: new WebhookOutbox(control),
    webhookCandidates: new WebhookCandidates(control),
    drift: new DriftTable(control),
    keys: new KeyTable(control, keyOptions),
    replica: new ReplicaRecordTable(control),
    shared: new SharedControl(control),
    cursor,
    gaps,
    states,
    marketPagesFile: folder.marketPagesFile,
    verification,
    together: (work) => inTransaction(control, work),
    health: () => healthOf(plane, writer),
    async close() {
      await plane.close();
      control.close();
      lock.release();
    },
  };
}

async function healthOf(plane: DataPlane, writer: SlotWriter): Promise<StoreHealth> {
  const isWritable = writer.failed === null;
  try {
    await plane.fast.rows('SELECT 1');
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { isWritable, isReadable: false, detail };
  }
  return { isWritable, isReadable: true, detail: writer.failed?.message ?? 'ok' };
}
