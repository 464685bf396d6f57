import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { PRESETS, type PresetName } from '../../simulator/simulation-presets.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { CONTROL_MODEL, type Signal } from '../../src/model/signal.ts';
import { MODELS } from '../../src/signals/registry.ts';

/** What a published model did in the first hours of a market. */
export interface FirstSignals {
  readonly model: string;
  readonly count: number;
  /** Minutes from the start of the market to its first signal; null without one. */
  readonly firstMinutes: number | null;
}

export interface DemoSignals {
  readonly hours: number;
  readonly transactions: number;
  readonly models: readonly FirstSignals[];
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Counts signals of the published models; `startMs` is the start of the market. */
export function firstSignals(signals: readonly Signal[], startMs: number): FirstSignals[] {
  const names = MODELS.map(({ name }) => name).filter((name) => name !== CONTROL_MODEL);
  return names.map((model) => {
    const own = signals.filter((signal) => signal.model === model);
    const [first] = own.toSorted((one, other) => one.createdAtMs - other.createdAtMs);
    const firstMinutes =
      first === undefined ? null : Math.floor((first.createdAtMs - startMs) / MINUTE_MS);
    return { model, count: own.length, firstMinutes };
  });
}

/** Plays the market of `npm start` for these hours, with the models as they are published. */
export function playDemo(
  hours: number,
  onProgress: (share: number) => void = () => undefined,
  preset: PresetName = 'demo',
): DemoSignals {
  const config = PRESETS[preset];
  const simulation = createSimulation(config);
  const engine = new Engine({ fallbackSolUsd: null });
  const endMs = config.startMs + hours * HOUR_MS;
  const given: Signal[] = [];
  let transactions = 0;
  for (let blocks = 0; simulation.world.nowMs < endMs; ) {
    const step = simulation.step();
    if (step === null || !step.isCanonical) continue;
    const facts = decodeBlock(toChainBlock(step.block));
    transactions += facts.transactions.length;
    given.push(...engine.apply(facts).signals);
    if (blocks++ % 1_000 > 0) continue;
    simulation.takePosts();
    onProgress((simulation.world.nowMs - config.startMs) / (endMs - config.startMs));
  }
  return { hours, transactions, models: firstSignals(given, config.startMs) };
}
