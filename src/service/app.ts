/**
 * Opens the stages in flow order: the store with its log, and the engine that folds it. `bridge/`
 * adds the API on both sides of a thread boundary.
 */

import { isReplicaRole } from '../config/config-cluster.ts';
import type { Config } from '../config/config-settings.ts';
import { openDetectors } from '../detector-modules/sandbox/open-detectors.ts';
import { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { CALIBRATION } from '../fraud/scoring/calibration.ts';
import type { EngineFactory } from '../ingestion/engine-factory.ts';
import { EngineStates } from '../ingestion/engine-states.ts';
import { FindingRefusals } from '../ingestion/finding-refusals.ts';
import { TAIL_SLOTS_MAX } from '../ingestion/fold.ts';
import { Ingestion } from '../ingestion/ingestion.ts';
import type { IngestionHooks } from '../ingestion/ingestion-run.ts';
import { PastStates } from '../ingestion/past/past-states.ts';
import { RuleChanges } from '../ingestion/rule-changes.ts';
import { foldVersionOf } from '../ingestion/state-head.ts';
import { ADDRESS_REGISTRY } from '../model/address-registry.ts';
import { REFUSING_STATUSES } from '../model/fraud-review.ts';
import { ruleIdOf } from '../model/rule-hit.ts';
import { openStore, type Store } from '../store/store.ts';
import { describeFinding } from '../store/verification/finding.ts';
import type { BacktestService } from './backtests/backtest-service.ts';
import { openBacktests } from './backtests/open-backtests.ts';
import { clickHouseServerOf } from './clickhouse-server.ts';
import { assertOtherNames } from './detectors/assert-other-names.ts';
import { DetectorService, installedPackages } from './detectors/detector-service.ts';
import type { ShadowReport } from './detectors/shadow-trial.ts';
import { MarketPageFiles } from './market-pages.ts';
import { RuleService, wantedRules } from './rules/rule-service.ts';
import { operatorRules } from './rules/rules-folder.ts';
import { OWN_WRITES } from './shared/control-writes.ts';
import { stateMemoryBytesOf, stateMemoryOf } from './state-memory.ts';

/** The service with its in-memory state and open store. */
export interface Service {
  readonly store: Store;
  readonly ingestion: Ingestion;
  /** States of earlier slots. */
  readonly past: PastStates;
  /** Reviews that the fold must know. */
  readonly refusals: FindingRefusals;
  /** Everything that decides about results in addition to the log: equal for equal replicas. */
  readonly foldVersion: string;
  /** Rules that the fold must judge. */
  readonly ruleChanges: RuleChanges;
  readonly rules: RuleService;
  readonly backtests: BacktestService;
  readonly detectors: DetectorService;
  /** Where figures of lists are that are not in memory. */
  readonly marketPages: MarketPageFiles;
  close(): Promise<void>;
}

/** Memory of one state of an earlier slot. */
const PAST_MEMORY_BYTES = 64 * 1_024 * 1_024;

export interface OpeningHooks extends IngestionHooks {
  /** Called with a sentence about data that the store lost, and its consequences. */
  readonly onLost?: (sentence: string) => void;
  /** Called with each case that a tried detector would report. */
  readonly onShadowReport?: (report: ShadowReport) => void;
  /** Called once this process holds the folder and its control plane is migrated. */
  readonly onControlPlane?: () => void;
}

/**
 * Opens the data folder, checks that it is complete, and rebuilds the state from the log.
 * Throws StoreError.
 */
export async function openService(config: Config, hooks: OpeningHooks = {}): Promise<Service> {
  const service = await restoreService(config, hooks);
  try {
    await service.ingestion.catchUp.run(hooks);
    return service;
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * Opens the data folder, checks that it is complete, and opens the newest stored state. Reads can be
 * answered from it while `ingestion.catchUp` applies the log after it. Throws StoreError.
 */
export async function restoreService(config: Config, hooks: OpeningHooks = {}): Promise<Service> {
  const store = await openConfiguredStore(config, hooks);
  try {
    for (const sentence of store.notices) hooks.onStateProblem?.(sentence);
    await repairLost(store, hooks);
    const { published: packages, tried } = installedPackages(config);
    const options: EngineOptions = {
      detectors: openDetectors(packages),
      fallbackSolUsd: config.solUsdFallback,
      undoSlotsMax: TAIL_SLOTS_MAX,
    };
    const rules = rulesOf(options);
    const stateMemoryBytes = stateMemoryBytesOf(config.stateMemory);
    const marketPages = new MarketPageFiles(store.marketPagesFile, stateMemoryBytes);
    const states = new EngineStates({
      ...{
        folders: store.states,
        log: store.log,
        logStart: store.logStart,
        rules,
        engine: options,
      },
      memory: stateMemoryOf(stateMemoryBytes),
    });
    const createEngine: EngineFactory = () => new Engine(options);
    const parts = { store, createEngine, states, rules, logRetentionMs: config.logRetention };
    const ingestion = await Ingestion.restore(parts, hooks);
    const isShared = isReplicaRole(config.role);
    const operator = isShared ? [] : operatorRules(config.rulesFolder);
    assertOtherNames(operator, packages);
    const ruleChanges = new RuleChanges(wantedRules(store.rules, operator));
    const earlier = {
      source: () => ingestion.past,
      states,
      log: store.log,
      settings: {
        fallbackSolUsd: options.fallbackSolUsd,
        detectors: packages,
        memory: stateMemoryOf(PAST_MEMORY_BYTES),
      },
      report: (sentence: string) => hooks.onStateProblem?.(sentence),
    };
    const past = new PastStates(earlier);
    const detectors = new DetectorService({ tried, engine: () => ingestion.engine, ...hooks });
    const backtests = openBacktests({ ...earlier, stored: store.backtests });
    return {
      store,
      ingestion,
      past,
      foldVersion: foldVersionOf(rules, ingestion.engine),
      refusals: new FindingRefusals(store.reviews.idsWith(REFUSING_STATUSES)),
      ruleChanges,
      rules: new RuleService({
        stored: store.rules,
        operator,
        changes: ruleChanges,
        judged: () => ingestion.engine,
        control: isShared ? null : OWN_WRITES,
      }),
      backtests,
      detectors,
      marketPages,
      close: () => closeAll([detectors, backtests, past, marketPages, ingestion, store]),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Closes all, one after another. */
async function closeAll(all: readonly { close(): Promise<void> | void }[]): Promise<void> {
  for (const each of all) await each.close();
}

/** Opens the configured store without repairs. Throws StoreError. */
export function openConfiguredStore(
  config: Config,
  { onControlPlane }: Pick<OpeningHooks, 'onControlPlane'> = {},
): Promise<Store> {
  return openStore({
    ...{ dataDir: config.dataDir, server: clickHouseServerOf(config) },
    ...(onControlPlane === undefined ? {} : { onControlPlane }),
  });
}

/**
 * Time limit for reading parts of the data plane at the start; the rest is read while the service
 * runs.
 */
const STARTING_CHECK_MS = 2_000;

/** Reports losses and marks them for repair before anything is served. */
async function repairLost(
  { verification }: Store,
  { onLost, signal }: OpeningHooks,
): Promise<void> {
  const { findings, isRecorded } = await verification.verify({
    budgetMs: STARTING_CHECK_MS,
    nowMs: () => performance.now(),
    ...(signal === undefined ? {} : { signal }),
  });
  for (const finding of findings) onLost?.(describeFinding(finding));
  if (findings.length > 0) {
    for (const finding of await verification.repair(findings)) onLost?.(describeFinding(finding));
  } else if (!isRecorded) await verification.adopt();
}

/**
 * Increment whenever the same log may fold to different derived rows. Data folders of an older
 * version are refolded when they are opened.
 */
const FOLD_VERSION = 22;

/** All inputs of derived rows in addition to the log. */
function rulesOf({ fallbackSolUsd, detectors = [] }: EngineOptions): string {
  const addresses = ADDRESS_REGISTRY.hash.slice(0, 16);
  const fold = `fold ${FOLD_VERSION}, calibration ${CALIBRATION.version}`;
  const ids = detectors.map(
    ({ hash, ...identity }) => `${ruleIdOf({ hash, ...identity })}${hash.slice(16)}`,
  );
  const installed = ids.length === 0 ? '' : `, detectors ${ids.join(' ')}`;
  return `${fold}, addresses ${addresses}, SOL/USD fallback ${fallbackSolUsd ?? 'none'}${installed}`;
}
