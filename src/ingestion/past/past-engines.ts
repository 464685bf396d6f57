import type { DetectorPackage } from '../../detector-modules/package/detector-package.ts';
import { openDetectors } from '../../detector-modules/sandbox/open-detectors.ts';
import { Engine } from '../../engine/engine.ts';
import { PagePool } from '../../lib/pages/page-pool.ts';
import type { AsOf } from '../../model/as-of.ts';
import type { SignalModel } from '../../signals/features/signal-model.ts';
import { createFileAccess } from '../../store/checkpoints/file-access.ts';
import type { FileRecordStore } from '../../store/checkpoints/file-record-store.ts';
import { openRecords } from '../../store/checkpoints/open-records.ts';
import type { LinkedState } from '../../store/checkpoints/state-folders.ts';
import { statePages } from '../../store/checkpoints/state-pages.ts';
import { decodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import { decodeStateHead } from '../state-head.ts';
import { WatchedPages } from '../watched-pages.ts';
import type { PastRequest, PastSettings, StatePoint } from './past-messages.ts';
import { answerPast, type PastQuery } from './past-query.ts';

/** Leaves of the record index of a state in memory: 8 MiB. */
const LEAVES_MAX = 2_048;
const NO_PACKAGES: readonly DetectorPackage[] = [];

/** The states of earlier slots in the thread that computes them, by number. */
export class PastEngines {
  private readonly settings: PastSettings;
  private readonly engines = new Map<number, Engine>();

  constructor(settings: PastSettings) {
    this.settings = settings;
  }

  /** The answer to a request. Throws StoreError and DamagedStateError. */
  answer(request: PastRequest): unknown {
    const { state } = request;
    if (request.kind === 'open') return this.open(state, request.linked);
    if (request.kind === 'apply') return this.apply(state, request.facts);
    if (request.kind === 'read') return this.read(state, request.query);
    this.engineOf(state).close();
    this.engines.delete(state);
    return null;
  }

  private open(state: number, linked: LinkedState): StatePoint {
    const engine = openEngineAt(linked, this.settings);
    this.engines.set(state, engine);
    return { slot: engine.lastSlot };
  }

  private apply(state: number, facts: string): StatePoint {
    const engine = this.engineOf(state);
    engine.apply(decodeSlotFacts(facts));
    return { slot: engine.lastSlot };
  }

  private read(state: number, query: PastQuery): AsOf<unknown> {
    const engine = this.engineOf(state);
    const { lastSlot: slot, timeMs } = engine;
    return { slot, timeMs: timeMs === 0 ? null : timeMs, data: answerPast(engine, query) };
  }

  private engineOf(state: number): Engine {
    const engine = this.engines.get(state);
    if (engine === undefined) throw new Error(`There is no state ${state}.`);
    return engine;
  }
}

/** An engine with a linked state. Closing it releases the files of the state. */
export function openEngineAt(
  linked: LinkedState,
  { fallbackSolUsd, memory, detectors: packages = NO_PACKAGES }: PastSettings,
  models?: readonly SignalModel[],
): Engine {
  const records = openLinked(linked);
  const sums =
    linked.checkpoint === null ? {} : { sums: decodeStateHead(linked.checkpoint.head).sums };
  try {
    const pages = new PagePool({ ...memory, store: new WatchedPages(statePages(records)) });
    const onClose = () => records.close();
    const others = models === undefined ? {} : { models };
    const detectors = openDetectors(packages);
    return new Engine({ fallbackSolUsd, detectors, pages, ...sums, ...others, onClose });
  } catch (error) {
    records.close();
    throw error;
  }
}

function openLinked({ folder, rules, checkpoint }: LinkedState): FileRecordStore {
  const maxSlot = checkpoint === null ? {} : { maxSlot: checkpoint.slot };
  const opened = openRecords(createFileAccess(folder), {
    rules,
    ...maxSlot,
    sizes: { leavesMax: LEAVES_MAX },
  });
  if (opened.kind === 'refused') throw new Error(opened.reason);
  const found = opened.checkpoint?.slot ?? null;
  if (found === (checkpoint?.slot ?? null)) return opened.store;
  opened.store.close();
  throw new Error(`The state after slot ${checkpoint?.slot} cannot be opened in ${folder}.`);
}
